"""Time from the click on a move to the painted board, in a real browser, alone and beside other clients.

`python tests/browser/decision_to_picture.py .venv/bin ../other/.venv/bin` compares two versions: the folders hold the
`stardeck` and `python` of each. Runs alternate, and the result of a version is over the decisions of all its runs.
"""

import signal
import subprocess
import tempfile
from pathlib import Path

import click
import numpy as np
from serving import Server, launched

# In the page: press the button of the last legal move; the time until the frame with the next position is painted.
PRESS = """() => new Promise((done) => {
    const told = () => (globalThis.table ? table.page.sight.number : now.number);
    const buttons = document.querySelectorAll("#moves .move");
    const before = told(), start = performance.now();
    buttons[buttons.length - 1].click();
    const painted = () => setTimeout(() => done(performance.now() - start));
    const look = () => requestAnimationFrame(told() === before ? look : painted);
    requestAnimationFrame(look);
})"""
MINE = """() => {
    const table = globalThis.table ? globalThis.table.page.sight?.table : now;
    return table?.to_act === 0 && Boolean(document.querySelector("#moves .move"));
}"""
OVER = "() => Boolean(globalThis.table ? table.page.sight?.table.over : now?.over)"
THINK = 3  # seconds of each other client before a decision


def sat_down(page, address):
    """Begin a game against `rules`, whose decisions follow at once, and show the list of moves."""
    new = {"game": "star_realms", "seats": ["person", "rules"]}
    begun = page.request.post(f"{address}/api/games", data=new, timeout=300_000).json()
    page.goto("about:blank")  # another fragment alone would load nothing
    page.goto(address + begun["seats"][0]["page"])
    page.wait_for_selector(".board, #picture svg")
    page.evaluate("(globalThis.table ?? globalThis).say({pace: 0})")
    if (moves := page.get_by_role("button", name="All moves")).count():
        moves.click()


def measured(browser, address, decisions):
    """Return the milliseconds of each decision of one client."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(300_000)
    sat_down(page, address)
    times = []
    while len(times) < decisions:
        if page.evaluate(OVER):
            sat_down(page, address)
        elif page.evaluate(MINE):
            times.append(page.evaluate(PRESS))
        page.wait_for_timeout(50)
    page.close()
    return times


def beside(folder, address, clients):
    """Start the other clients of a run."""
    command = [folder / "python", "-m", "stardeck.benchmarks.speed.server_load", address, "--clients", str(clients)]
    command += ["--think", str(THINK), "--decisions", "10000"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(browser, folder, clients, decisions, settle):
    """Start the server of a version and its other clients, and measure one more."""
    with tempfile.TemporaryDirectory() as games:
        server = Server(Path(games), folder / "stardeck", ["--no-warm"])
        others = beside(folder, server.address, clients - 1) if clients > 1 else None
        try:
            page = browser.new_page()
            page.wait_for_timeout(1_000 * settle * (clients > 1))
            page.close()
            assert others is None or others.poll() is None, "the other clients have stopped"
            return measured(browser, server.address, decisions)
        finally:
            if others:
                others.send_signal(signal.SIGTERM)
                others.wait()
            server.stop()


@click.command()
@click.argument("folders", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--clients", multiple=True, default=(1, 200), show_default=True, help="Clients at once.")
@click.option("--runs", default=3, show_default=True, help="Of each version, alternating.")
@click.option("--decisions", default=60, show_default=True, help="Of a run.")
@click.option("--settle", default=20, show_default=True, help="Seconds until all other clients play.")
def main(folders, clients, runs, decisions, settle):
    """Measure versions of the server and its pages, and print median and 95 % quantile for each."""
    with launched() as browser:
        for count in clients:
            times = {folder: [] for folder in folders}
            for _ in range(runs):
                for folder in folders:
                    times[folder] += run(browser, folder, count, decisions, settle)
            for folder, found in times.items():
                median, high = np.quantile(found, [0.5, 0.95])
                click.echo(
                    f"{folder}, {count} clients: median {median:.0f} ms, 95 % within {high:.0f} ms,"
                    f" {len(found)} decisions"
                )


if __name__ == "__main__":
    main()
