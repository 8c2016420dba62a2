"""Summaries of every kind, written by hand, with numbers that are easy to find again in figures and frames."""


def rate(value, low, high):
    return {"win_rate": value, "low": low, "high": high}


VARIANT = {"variant": "star_realms/core/standard/2/starting_deck=2-e9c26755", "settings": {"players": 2}}
AGENTS = [{"agent": "rules"}]
ADVANTAGE = VARIANT | {
    "games": 1000,
    "agents": [{"agent": "rules", "games": 1000} | rate(0.7, 0.67, 0.73),
               {"agent": "simple", "games": 1000} | rate(0.3, 0.27, 0.33)],
    "seats": [{"seat": 0} | rate(0.51, 0.48, 0.54), {"seat": 1} | rate(0.49, 0.46, 0.52)],
    "teams": [{"team": 0, "seats": [0]}, {"team": 1, "seats": [1]}],
    "first_advantage": {"points": 1.0, "low": -2.0, "high": 4.0, "elo": 7.0},
    "turns": {"mean": 20.0, "median": 20.0, "p5": 10.0, "p95": 30.0},
}  # fmt: skip
LEAGUE = VARIANT | {
    "games": 300,
    "agents": [
        {"agent": "a_long_name_of_an_agent_in_a_file.safetensors", "games": 200, "rating": 120.0, "low": 80.0,
         "high": 160.0, "win_rate": 0.8},
        {"agent": "rules", "games": 200, "rating": 0.0, "low": 0.0, "high": 0.0, "win_rate": 0.7},
        {"agent": "random", "games": 200, "rating": -900.0, "low": None, "high": -700.0, "win_rate": 0.0},
    ],
    "cross_table": [
        {"agents": ["a_long_name_of_an_agent_in_a_file.safetensors", "rules"], "games": 100, "score": 0.6, "low": 0.5,
         "high": 0.7},
        {"agents": ["rules", "random"], "games": 100, "score": 1.0, "low": 0.97, "high": 1.0},
    ],
}  # fmt: skip

CYCLE = LEAGUE | {
    "agents": [
        row | {"nash": {"weight": 0.25, "weight_low": 0.1, "weight_high": 0.4, "score": 0.45, "low": 0.4, "high": 0.5},
               "alpha_rank": {"mass": 0.3, "low": 0.2, "high": 0.5}}
        for row in LEAGUE["agents"]
    ],
    "transitivity": {
        "elo_explains": False, "p": 0.001, "chi2": 11.0, "freedom": 1,
        "cyclic": {"share": 0.9, "low": 0.8, "high": 1.0},
        "worst": {"agents": ["rules", "random"], "score": 1.0, "score_by_elo": 0.8},
    },
}  # fmt: skip


def point(place, points, games):
    return {"knobs": {"authority.1": place}, "games": games, "points": points, "low": points - 1, "high": points + 1,
            "curve": points}  # fmt: skip


FAIR = VARIANT | {
    "games": 600, "agents": AGENTS, "knobs": ["authority.1=50:56"], "found": True, "why": "found",
    "answer": [{"knob": "authority.1", "value": 53.4, "low": 52.9, "high": 53.9}],
    "mixture": [{"part": 1.0, "knobs": {"authority.1": 53}}],
    "shares": [{"of": "first", "points": 0.0, "low": -0.3, "high": 0.3},
               {"of": "others", "points": 0.0, "low": -0.3, "high": 0.3}],
    "seen": [point(50, 4.0, 100), point(53, 0.5, 400), point(56, -3.0, 100)],
}  # fmt: skip


def card(name, stage, value, q):
    points = {"value": value, "low": value - 0.5, "high": value + 0.5}
    return {"card": name, "stage": stage, "trials": 500, "points": points, "authority": None, "q": q}


WORTH = VARIANT | {
    "games": 5000, "agents": AGENTS, "trials": {"what": "purchases"}, "rather_than": "nothing",
    "stages": ["early", "late"], "options": ["Cutter", "Blob Wheel", "nothing"],
    "cards": [
        card("Cutter", "early", 2.0, 0.01), card("Cutter", "late", 0.1, 0.8), card("Blob Wheel", "early", 3.0, 0.01),
    ],
}  # fmt: skip


def evaluation(decisions, value):
    told = rate(value, value - 0.03, value + 0.03)
    panel = {"rules": told, "same-faction": rate(0.2, 0.1, 0.3)}
    return {"decisions": decisions, "seconds": decisions / 1000, "panel": panel, "before": None} | told


TRAINING = VARIANT | {
    "method": "ppo", "opponent": "rules", "fair_share": 50.0, "decisions": 2_000_000, "seconds": {"playing": 120.0},
    "evaluations": [evaluation(0, 0.3), evaluation(1_000_000, 0.55), evaluation(2_000_000, 0.62)],
}  # fmt: skip
EXPLOIT = VARIANT | {
    "agent": "rules", "fair_share": 50.0, "at_least": 5.0, "best": "network", "games": 200,
    "responses": [{"response": "network", "games": 50} | rate(0.58, 0.5, 0.66)],
} | rate(0.6, 0.55, 0.65)  # fmt: skip
KIND = {
    "kind": "all", "decisions": 300, "games": 4, "agreement": 0.6, "low": 0.5, "high": 0.7, "by_chance": 0.42,
    "log_likelihood": -1.0, "log_likelihood_low": -1.2, "log_likelihood_high": -0.8, "perplexity": 2.7,
    "perplexity_by_chance": 4.0,
}  # fmt: skip
AGREEMENT = VARIANT | {
    "games": 4, "decisions": 300, "forced": 20, "guessed": 4, "asked": 25, "identities": ["rules"],
    "agents": [{"agent": "rules", "kinds": [KIND, KIND | {"kind": "buy", "games": 1, "low": None, "high": None}]}],
    "left_out": [{"file": "README.md", "reason": "this is not a log of the app"}], "contradicted": [],
}  # fmt: skip
SUITE = {
    "benchmark": "Stardeck-8", "version": 1, "agent": "rules", "games": 40,
    "overall": {"points": 47.0, "low": 44.0, "high": 49.5}, "not_played": {"raid-3": "it does not play this"},
    "tasks": [
        {"task": "core-duel", "variant": "star_realms/core/standard/2", "agent": "rules", "points": 46.0, "low": 43.0,
         "high": 49.0, "decisions_per_second": 1500.0,
         "exploitability": rate(0.7, 0.65, 0.75) | {"decisions": 2_000_000},
         "levels": [{"level": "simple", "opponent": "simple", "games": 40, "won": 39, "undecided": 0, "points": 97.5,
                     "blocks": [[2, 0, 19], [1, 0, 1]], "digest": "5140a60f38c183a1", "moves": ""}
                    | rate(0.975, 0.87, 0.99)]},
    ],
    "origin": {"version": "0.1.0", "command": "stardeck benchmark rules --games 40", "date": "2026-11-28 19:28:58",
               "machine": "a machine"},
}  # fmt: skip
LEARNING = {
    "benchmark": "Stardeck-8", "version": 1, "task": "core-duel", "trainer": "ppo", "decisions": 1_000_000, "games": 60,
    "seeds": [{"seed": seed, "curve": []} for seed in range(5)],
    "curve": [{"decisions": 0, "points": 0.5, "low": 0.0, "high": 2.0},
              {"decisions": 1_000_000, "points": 42.0, "low": 40.0, "high": 44.0}],
    "origin": SUITE["origin"],
}  # fmt: skip
ASKED = {
    "games": 4, "calls": 48, "retries": 0, "tokens_in": 40_000, "tokens_out": 2_000, "without_usage": 0,
    "seconds": 60.0, "illegal": 3, "unreadable": 1, "rethinks": 4, "fallbacks": 2, "forced": 9,
    "forfeited": 0, "truncated": 0,
}  # fmt: skip
MODEL = VARIANT | {
    "games": 4, "identities": ["rules", "mine"],
    "opponents": [{"agent": "rules", "points": 1.0} | ASKED | rate(0.25, 0.05, 0.7)],
    "agents": [{"agent": "rules", "rating": 0.0, "low": 0.0, "high": 0.0},
               {"agent": "mine", "rating": -190.0, "low": -400.0, "high": None}],
    "total": ASKED, "unfinished": [], "cost": 0.25, "origin": SUITE["origin"],
}  # fmt: skip
TURNS = {"name": "turns", "label": "turns in a game", "unit": "turns", "value": 23.4, "low": 23.1, "high": 23.7}
DECIDED = {"name": "decided", "label": "decided after", "unit": "%", "value": 80.0, "low": None, "high": None}
DESIGN = {
    "part": "drama", "asked": VARIANT | {"games": 1000, "agent": "rules"}, "details": {}, "commands": [],
    "seconds": 3.0, "estimates": [TURNS, DECIDED], "origin": SUITE["origin"],
}  # fmt: skip
ONLY_PAGES = {
    "benchmark": SUITE,
    "llm": MODEL,
    "design": DESIGN,
}  # by command: these have no figure of their own
NAMES = {"league": "league.json", "benchmark": "result.json", "learning": "learning.json"}  # other than summary.json
EVERY = {  # by name of the function that draws it
    "advantage": ADVANTAGE, "league": LEAGUE, "fair": FAIR, "worth": WORTH, "training": TRAINING, "exploit": EXPLOIT,
    "agreement": AGREEMENT, "learning": LEARNING,
}  # fmt: skip
