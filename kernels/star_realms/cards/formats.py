"""Formats: rows of switches, settled for a number of players (rulebook: Formats, Challenge Cards; formats.toml)."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from stardeck.kernels.contract.card_tables import read_table
from stardeck.kernels.star_realms.cards.card import Boss, Gambit
from stardeck.kernels.star_realms.cards.loading import load_bosses, load_gambits
from stardeck.kernels.star_realms.rules import Legacy, Reach
from stardeck.kernels.star_realms.state import NOBODY

FORMATS = read_table(Path(str(resources.files("stardeck.kernels.star_realms.cards") / "formats.toml")))
HAND_SIZE = 5  # rulebook: Draw Phase
EACH_FOR_ITSELF = "each for itself"
SIDES = (EACH_FOR_ITSELF, "teams of 2", "teams of 3", "first against the others", "all together")
MOST_AUTHORITY = 1000
MOST_IN_HAND = 10  # drawn at once; a starting deck has the same number of cards
FIRST_TURN_TRADE = [-5, 20]  # beyond any amount in the rules


@dataclass(frozen=True)
class Format:
    """A format with its number of players, gambits and difficulty: all that rules, actions and observations need."""

    name: str
    players: int
    sides: tuple[tuple[int, ...], ...]
    leaders: tuple[int, ...]
    authority: tuple[int, ...]  # by seat
    hand_size: tuple[int, ...]
    opening_hands: tuple[int, ...]
    shared_authority: bool
    shared_turn: bool
    team_outposts: bool
    reach: Reach
    first_blood: bool
    legacy: Legacy
    pass_card_cost: int
    lasting_damage_seat: int
    open_hands: bool
    gambits: tuple[Gambit, ...]  # kinds; empty: the game has no gambits
    gambits_each: int
    boss: Boss | None
    boss_waits: int

    @property
    def team_of(self) -> tuple[int, ...]:
        """Side of each seat."""
        return tuple(number for number, seats in enumerate(self.sides) for _ in seats)

    @property
    def has_teams(self) -> bool:
        """True if any player has a teammate."""
        return any(len(seats) > 1 for seats in self.sides)

    @property
    def has_opponents(self) -> bool:
        """True if players play against players."""
        return len(self.sides) > 1

    @property
    def turns_a_round(self) -> int:
        """Turns from one turn of a player to the next."""
        return len(self.sides) if self.shared_turn else self.players

    @property
    def boss_face_down(self) -> int:
        """Number of cards face down before the Boss at the start; none for a single player."""
        return self.boss.face_down_per_player * self.players if self.boss and self.players > 1 else 0

    @property
    def mate_distances(self) -> tuple[int, ...]:
        """Distances, in seats clockwise, at which a teammate can sit."""
        pairs = [(one, other) for seats in self.sides for one in seats for other in seats if one != other]
        return tuple(sorted({(other - one) % self.players for one, other in pairs}))


def sides_of(words, players):
    """Return the seats of each side. words: a member of SIDES."""
    if words == "all together":
        return (tuple(range(players)),)
    if words == "first against the others":
        return ((0,), tuple(range(1, players)))
    size = 1 if words == EACH_FOR_ITSELF else int(words.rpartition(" ")[2])
    return tuple(tuple(range(first, first + size)) for first in range(0, players, size))


def by_seat(values, players):
    """Return numbers by seat; the last number also serves all later seats."""
    return [values[min(seat, len(values) - 1)] for seat in range(players)]


def players_of(row: Mapping[str, Any]) -> tuple[int, int]:
    """Return the fewest and the most players that a format takes."""
    fewest, most = row["players"]
    return fewest, most


def row_of(name: str, own: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the switches of a format. own: the user's own formats, by name."""
    return FORMATS[name] if name in FORMATS else FORMATS[own[name]["like"]] | own[name]


def hands_from(settled: Format, first: int) -> list[int]:
    """Return the opening hands by seat when seat `first` has the first turn.

    The place in turn order decides how many cards a hand is short of the full hand size. (Rulebook: Setup, Formats)
    """
    place_of = [(seat - first) % settled.players for seat in range(settled.players)]
    fewer = [size - opening for size, opening in zip(settled.hand_size, settled.opening_hands, strict=True)]
    return [max(size - fewer[place], 0) for size, place in zip(settled.hand_size, place_of, strict=True)]


def shares(authority, sides) -> bool:
    """Return whether the seats of each side have the same authority."""
    return all(len({authority[seat] for seat in seats}) == 1 for seats in sides)


def seats_text(sides) -> str:
    """Return the seats of each side as text: `0, 1 and 2, 3`."""
    return " and ".join(", ".join(map(str, seats)) for seats in sides)


def knows_boss(card_set, name) -> bool:
    """Return whether the challenge card of a Boss has an ability for a faction of the trade deck."""
    bosses, _ = load_bosses()
    cards = [card for card in card_set.cards if card.copies and card.pack == "trade_deck"]
    factions = {card_set.factions[number] for card in cards for number in card.factions}
    return not factions.isdisjoint(bosses[name].abilities)


def make_format(name, row, players, difficulty, gambits_each, energy_shield_erratum) -> Format:
    """Return a format settled for its players, who must fit its range. row: see `row_of`."""
    bosses, common = load_bosses()
    boss = bosses[row["boss"]] if "boss" in row else None
    waits = common["player_turns_before_boss"][difficulty] - 1
    authority = by_seat(row["authority"], players)
    hand_size = by_seat(row.get("hand_size", [HAND_SIZE]), players)
    opening = by_seat(common["expert_opening_hands"] if boss and waits < 0 else row["opening_hands"], players)
    if "first_authority" in row:
        place = players - row["players"][0]
        authority[0], hand_size[0] = row["first_authority"][place], row["first_hand_size"][place]
        opening[0] = hand_size[0] - row["first_opening_hand_fewer"]
    return Format(
        name=name,
        players=players,
        sides=sides_of(row.get("sides", EACH_FOR_ITSELF), players),
        leaders=tuple(row.get("leaders", ())),
        authority=tuple(authority),
        hand_size=tuple(hand_size),
        opening_hands=tuple(opening),
        shared_authority=row.get("shared_authority", False),
        shared_turn=row.get("shared_turn", False),
        team_outposts=row.get("team_outposts", False),
        reach=Reach[row.get("reach", "anyone").upper()],
        first_blood=row.get("first_blood", False),
        legacy=Legacy[row.get("legacy", "nobody").upper()],
        pass_card_cost=row.get("pass_card_cost", 0),
        lasting_damage_seat=row.get("leaders", (NOBODY,))[0] if row.get("lasting_damage") else NOBODY,
        open_hands=row.get("open_hands", False),
        gambits=load_gambits(energy_shield_erratum) if gambits_each else (),
        gambits_each=gambits_each,
        boss=boss,
        boss_waits=waits if boss else 0,
    )


def write_format(settled: Format, record) -> None:
    """Write the switches into a rules record (np.void); effects and words are written with the cards and actions."""
    players = settled.players
    for name in (
        "players", "shared_authority", "shared_turn", "team_outposts", "reach", "first_blood", "legacy",
        "pass_card_cost", "lasting_damage_seat", "open_hands", "gambits_each", "boss_waits",
    ):  # fmt: skip
        record[name] = getattr(settled, name)
    for name in ("authority", "hand_size", "opening_hands"):
        record[name][:players] = getattr(settled, name)
    record["sides"] = len(settled.sides)
    record["side"] = -1
    record["side"][:players] = settled.team_of
    record["leader"][list(settled.leaders)] = 1
    record["has_leaders"] = bool(settled.leaders)
    record["gambit_kinds"] = len(settled.gambits)
    record["more_to_do"] = bool(settled.shared_turn or settled.pass_card_cost or settled.gambits or settled.boss)
    if settled.boss:
        boss = settled.boss
        record["challenge"] = 1
        record["boss_authority"] = boss.authority_per_player * players
        record["boss_face_down"] = settled.boss_face_down
        record["boss_gathers"] = boss.gathers
        record["boss_reveals_for_each"] = boss.reveals_for_each
        record["base_combat"] = boss.base_combat
