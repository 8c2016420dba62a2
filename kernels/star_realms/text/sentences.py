"""Moves as sentences in the words of the rulebook, and their kinds (kernels/text/sentences.py)."""

from stardeck.kernels.star_realms.cards.card import Effect
from stardeck.kernels.star_realms.rules import Act, FirstTurn, Op
from stardeck.kernels.star_realms.spaces.actions import GAMBIT_ACTS
from stardeck.kernels.star_realms.state import NO_CARD, STICKERS, Decision, Purpose
from stardeck.kernels.star_realms.text.cards import abilities, effects_words, scenario_change
from stardeck.kernels.text.moves import check_number
from stardeck.kernels.text.sentences import of, seat_names, several

KIND_OF = {
    Act.END_TURN: "end_turn", Act.PLAY: "play", Act.USE: "use", Act.USE_ALLY: "use", Act.USE_SCRAP: "scrap",
    Act.BUY: "buy", Act.BUY_TO_DECK: "buy", Act.ATTACK_PLAYER: "attack", Act.ATTACK_PART: "part",
    Act.ATTACK_BASE: "attack", Act.DESTROY_BASE: "attack", Act.CHOOSE: "choose", Act.SCRAP_FROM_HAND: "scrap",
    Act.SCRAP_FROM_DISCARD: "scrap", Act.SCRAP_FROM_TRADE_ROW: "scrap", Act.DISCARD: "discard", Act.ACQUIRE: "buy",
    Act.COPY: "choose", Act.TARGET: "choose", Act.ADD: "amount", Act.DONE: "done", Act.DECLINE: "pass",
    Act.DAMAGE_BASE: "part", Act.ATTACK_BOSS: "attack", Act.ATTACK_BOSS_PART: "part", Act.MULLIGAN: "scrap",
    Act.YIELD: "give", Act.GIVE_TRADE: "give", Act.GIVE_TRADE_PART: "part", Act.GIVE_COMBAT: "give",
    Act.GIVE_COMBAT_PART: "part", Act.PASS: "give", Act.LEAVE: "give", Act.REVEAL: "use", Act.USE_GAMBIT: "use",
    Act.PUT_ON_DECK: "choose", Act.ACQUIRE_TO_DECK: "buy", Act.PAY: "pay", Act.KEEP: "choose", Act.DRAW: "draw",
    Act.UPGRADE: "buy", Act.MODIFIER: "choose", Act.FILL_UP: "choose", Act.BID: "bid",
}  # fmt: skip
# How a question is declined, before and after a first choice.
DECLINED = {
    Decision.SCRAP_FROM_HAND: ("Scrap no card", "Scrap no more cards"),
    Decision.SCRAP_FROM_HAND_OR_DISCARD: ("Scrap no card", "Scrap no more cards"),
    Decision.SCRAP_FROM_TRADE_ROW: ("Scrap no card of the trade row", "Scrap no more cards of the trade row"),
    Decision.DESTROY_BASE: ("Destroy no base", "Destroy no more bases"),
    Decision.DISCARD: ("Discard no card", "Discard no more cards"),
    Decision.DRAW: ("Draw no card", "Draw no more cards"),
    Decision.COPY: ("Copy no ship", "Copy no more ships"),
    Decision.LEAVE: ("Leave no card to a teammate", "Leave no more cards"),
    Decision.REVEAL: ("Reveal no gambit", "Reveal no more gambits"),
    Decision.ACQUIRE: ("Acquire no ship", "Acquire no more ships"),
    Decision.ACQUIRE_FROM_ROW: ("Acquire no ship", "Acquire no more ships"),
    Decision.ACQUIRE_UP_TO: ("Acquire no card", "Acquire no more cards"),
    Decision.PUT_ON_DECK: ("Put no card on top of your deck", "Put no more cards on top of your deck"),
    Decision.UPGRADE: ("Leave the card without a sticker", "Leave the card without a sticker"),
}


def _a_card(count):
    return "a card" if count == 1 else f"{count} cards"


def copied_by(variant, state, number):
    """Return the card whose ally and scrap abilities a card in play has: itself, or the ship that it copies.

    None stands for copies of several ships, or of none. state: one record.
    """
    own = variant.card(state, number)
    if not own.copies_a_ship:
        return own
    player = state["players"][state["to_act"]]
    shown = player["in_play"][: player["in_play_count"]]
    copied = {int(entry["copying"]) for entry in shown[shown["card"] == number]} - {NO_CARD}
    return variant.card(state, copied.pop()) if len(copied) == 1 else None


def effect_of(row) -> Effect:
    """Return an effect of the rules record as the tables have it; sides of an "or" are left out."""
    fields = ("amount", "optional", "then_draw", "then_combat", "then_authority", "detail", "bases")
    return Effect(Op(int(row["op"])), *(int(row[name]) for name in fields))


class _Told:
    """One action in a state, with everything that its sentence may name."""

    def __init__(self, variant, state, action, names):
        self.variant, self.state, self.action = variant, state, variant.actions[action]
        self.names = seat_names(names, variant.players)
        self.detail = int(self.action.detail)
        self.me = int(state["to_act"])
        self.frame = state["stack"][state["stack_count"] - 1] if state["stack_count"] else None

    @property
    def decision(self):
        """The question on top, or REST."""
        return Decision(int(self.frame["decision"])) if self.frame is not None else Decision.REST

    @property
    def card(self) -> str:
        """Name of the card or gambit that the action names."""
        if self.action.act in GAMBIT_ACTS:
            return self.gambit.name
        return self.variant.card_name(self.state, self.action.card)

    @property
    def gambit(self):
        """The gambit that the action names."""
        return self.variant.format.gambits[self.action.card]

    @property
    def seat(self) -> str:
        """Name of the player that the action names."""
        return self.names[(self.me + self.detail) % self.variant.players]

    @property
    def asked(self) -> int:
        """Number of the seat, card or amount that the question is about."""
        return int(self.frame["detail"])

    @property
    def boss(self) -> str:
        """Name of the automated Boss or Blob."""
        blob = self.variant.blob(self.state)
        return self.variant.format.boss.name if self.variant.format.boss else blob.name if blob else "the Boss"

    @property
    def boss_player(self) -> str:
        """Name of the player who is the Boss of a Raid."""
        return self.names[self.variant.format.lasting_damage_seat]

    def pool(self, name) -> int:
        """Return the amount in a pool of the seat to act."""
        return int(self.state["players"][self.me][name])

    def whole(self, name) -> str:
        """Return a whole pool in words: `all 5 combat`."""
        amount = self.pool(name)
        return f"all {amount} {name}" if amount > 1 else f"{amount} {name}"

    def effects(self, effects) -> str:
        """Return effects in words after a colon, or nothing."""
        words = effects_words(effects, self.variant.card_set.factions)
        return f": {words}" if words else ""

    def printed(self):
        """Return the card whose ally and scrap abilities the named card in play has, or None."""
        return copied_by(self.variant, self.state, self.action.card)

    def use(self) -> str:
        """Return the use of the primary ability of a base."""
        return f"Use {self.card}{self.effects(self.variant.card(self.state, self.action.card).primary[self.detail])}"

    def use_ally(self) -> str:
        """Return the use of an ally ability."""
        printed = self.printed()
        second = "second " if self.detail else ""
        effects = self.effects(printed.ally[self.detail].effects) if printed else ""
        return f"Use the {second}ally ability of {self.card}{effects}"

    def use_scrap(self) -> str:
        """Return the use of a scrap ability."""
        printed = self.printed()
        return f"Scrap {self.card}{self.effects(printed.scrap) if printed else ''}"

    def choose(self) -> str:
        """Return the choice of one side of an "or", or of a faction."""
        word = self.variant.words[self.detail]
        if self.decision == Decision.FACTION:
            return f"Name the faction {word.replace('_', ' ')}"
        if self.decision == Decision.BOSS_FACTION:
            return f"Give {self.boss} the ability of the faction {word.replace('_', ' ')}"
        rules = self.variant.rules[0]
        choice = rules["choices"][self.asked]
        option = choice["words"][: choice["count"]].tolist().index(self.detail)
        first, end = choice["sides"][option]
        return f"Choose{self.effects([effect_of(row) for row in rules['effects'][first:end]]) or f' {word}'}"

    def amount(self) -> str:
        """Return the end of an amount: what it is for."""
        amount, purpose = int(self.frame["done"]), Purpose(int(self.frame["purpose"]))
        if purpose == Purpose.ATTACK_PLAYER:
            return f"Attack {self.names[self.asked]} with {amount} combat"
        if purpose == Purpose.ATTACK_BOSS:
            return f"Attack {self.boss} with {amount} combat"
        if purpose == Purpose.DAMAGE_BASE:
            base = self.variant.card_name(self.state, self.asked)
            return f"Deal {amount} damage to {of(self.boss_player)} {base}"
        return f"Give {self.names[self.asked]} {amount} {'trade' if purpose == Purpose.GIVE_TRADE else 'combat'}"

    def add(self) -> str:
        """Return an addition to an amount, with the sum."""
        return f"Add {self.detail}, which makes {int(self.frame['done']) + self.detail} in all"

    def acquire(self) -> str:
        """Return the acquisition of a card without payment."""
        to_deck = self.decision in (Decision.ACQUIRE, Decision.ACQUIRE_FROM_ROW)
        return f"Acquire {self.card} for free" + (", on top of your deck" if to_deck else "")

    def draw(self) -> str:
        """Return an optional draw."""
        discards = int(self.frame["then_discard"])
        return f"Draw {_a_card(self.asked)}" + (f", to discard {_a_card(discards)} after it" if discards else "")

    def decline(self) -> str:
        """Return a refusal."""
        if self.decision == Decision.BID:
            return f"Leave the first turn to {self.names[int(self.frame['owner'])]}"
        if self.decision not in DECLINED:
            return "Decline"
        return DECLINED[self.decision][bool(self.frame["done"])]

    def upgrade(self, number) -> str:
        """Return the upgrade of a card with a sticker of the seat's side, and the abilities that change."""
        cards, side = self.variant.card_set, max(int(self.variant.rules[0]["seat_side"][self.me]), 0)
        slot = cards.slots[side * STICKERS + self.detail]
        plain, upgraded = (abilities(card, cards.factions) for card in (cards.cards[number], slot.forms[number]))
        new = "; ".join(words for words in upgraded if words not in plain)
        return f"Upgrade {cards.cards[number].name} with the sticker {slot.name}: {new}"

    def modifier(self) -> str:
        """Return one of the two rule changes of a scenario."""
        scene = self.variant.campaign.scenarios[int(self.state["scenario"]) - 1]
        words = scenario_change(scene.changes[self.detail - 1], self.variant.card_set)
        return f"Choose the {('first', 'second')[self.detail - 1]} rule change{f': {words}' if words else ''}"

    def pay(self) -> str:
        """Return a payment for a look at gambits."""
        if not self.detail:
            return "Look at no gambit"
        return f"Pay {self.detail} trade to look at {several(self.detail, 'gambit')}"

    def bid(self) -> str:
        """Return a bid, or the price that one player names and the other may pay."""
        if self.variant.rules[0]["first_turn"] != FirstTurn.PIE:
            return f"Bid {self.detail} authority for the first turn"
        verb = "Ask" if self.frame["seat"] == self.state["first"] else "Pay"
        return f"{verb} {self.detail} authority for the first turn"

    def end_turn(self) -> str:
        """Return the end of a turn, or of one player's part of it."""
        together = self.variant.format.shared_turn and self.variant.players > 1
        return "Finish your part of the turn" if together else "End your turn"


SENTENCES = {
    Act.END_TURN: _Told.end_turn,
    Act.PLAY: lambda told: f"Play {told.card}",
    Act.USE: _Told.use,
    Act.USE_ALLY: _Told.use_ally,
    Act.USE_SCRAP: _Told.use_scrap,
    Act.BUY: lambda told: f"Buy {told.card}",
    Act.BUY_TO_DECK: lambda told: f"Buy {told.card}, on top of your deck",
    Act.ATTACK_PLAYER: lambda told: f"Attack {told.seat} with {told.whole('combat')}",
    Act.ATTACK_PART: lambda told: f"Attack {told.seat} with some of your combat",
    Act.ATTACK_BASE: lambda told: f"Destroy {of(told.seat)} {told.card} with combat",
    Act.DESTROY_BASE: lambda told: f"Destroy {of(told.seat)} {told.card}",
    Act.CHOOSE: _Told.choose,
    Act.SCRAP_FROM_HAND: lambda told: f"Scrap {told.card} from your hand",
    Act.SCRAP_FROM_DISCARD: lambda told: f"Scrap {told.card} from your discard pile",
    Act.SCRAP_FROM_TRADE_ROW: lambda told: f"Scrap {told.card} from the trade row",
    Act.DISCARD: lambda told: f"Discard {told.card}",
    Act.ACQUIRE: _Told.acquire,
    Act.ACQUIRE_TO_DECK: lambda told: f"Acquire {told.card} for free, on top of your deck",
    Act.COPY: lambda told: f"Copy {told.card}",
    Act.TARGET: lambda told: f"Make {told.seat} discard {_a_card(int(told.frame['left']))}",
    Act.ADD: _Told.add,
    Act.DONE: _Told.amount,
    Act.DECLINE: _Told.decline,
    Act.DAMAGE_BASE: lambda told: f"Damage {of(told.boss_player)} {told.card} without destroying it",
    Act.ATTACK_BOSS: lambda told: f"Attack {told.boss} with {told.whole('combat')}",
    Act.ATTACK_BOSS_PART: lambda told: f"Attack {told.boss} with some of your combat",
    Act.MULLIGAN: lambda told: "Replace the whole trade row",
    Act.YIELD: lambda told: f"Hand the move to {told.seat}",
    Act.GIVE_TRADE: lambda told: f"Give {told.seat} {told.whole('trade')}",
    Act.GIVE_TRADE_PART: lambda told: f"Give {told.seat} some of your trade",
    Act.GIVE_COMBAT: lambda told: f"Give {told.seat} {told.whole('combat')}",
    Act.GIVE_COMBAT_PART: lambda told: f"Give {told.seat} some of your combat",
    Act.PASS: lambda told: f"Pay {told.variant.rules[0]['pass_card_cost']} trade to pass {told.card} to {told.seat}",
    Act.LEAVE: lambda told: f"Leave {told.card} to {told.names[told.asked]}",
    Act.REVEAL: lambda told: f"Reveal the gambit {told.card}",
    Act.USE_GAMBIT: lambda told: f"Use the gambit {told.card}{told.effects(told.gambit.scrap)}",
    Act.PUT_ON_DECK: lambda told: f"Put {told.card} on top of your deck",
    Act.PAY: _Told.pay,
    Act.KEEP: lambda told: f"Keep the gambit {told.card}",
    Act.DRAW: _Told.draw,
    Act.UPGRADE: lambda told: told.upgrade(told.asked),
    Act.MODIFIER: _Told.modifier,
    Act.FILL_UP: lambda told: told.upgrade(told.action.card),
    Act.BID: _Told.bid,
}


def sentence(variant, state, action: int, names=None) -> str:
    """Return an action of the seat to act as a sentence: `Buy Ram`. state: one record; names: players by seat."""
    check_number(variant, action)
    told = _Told(variant, state, action, names)
    return SENTENCES[told.action.act](told)


def kind(variant, state, action: int) -> str:
    """Return the kind of an action, one of KINDS. state: one record."""
    check_number(variant, action)
    return KIND_OF[variant.actions[action].act]
