"""Which tests run in plain Python (NUMBA_DISABLE_JIT=1): those that tell more about kernels than their compiled run.

The others run once, compiled: the files of ONCE, and tests marked `once`.
"""

from helpers import JIT

# They ask nothing of kernels, or nothing but the games that tests of games, agents and environments play.
ONCE = (
    "agents/test_analysis.py",
    "agents/test_models.py",
    "agents/test_own.py",
    "agents/test_remote.py",
    "agents/test_shipped.py",
    "agents/test_strengths.py",
    "agents/test_threads.py",
    "design",
    "estimands",
    "language",
    "test_add_a_game.py",
    "test_agreement.py",
    "test_any_user.py",
    "test_app_log.py",
    "test_arena.py",
    "test_caches.py",
    "test_cli.py",
    "test_collected.py",
    "test_dataset.py",
    "test_device.py",
    "test_device_measure.py",
    "test_earlier_results.py",
    "test_examples.py",
    "test_fair.py",
    "test_files.py",
    "test_foreign_files.py",
    "test_former_names.py",
    "test_interrupt.py",
    "test_jit.py",
    "test_layers.py",
    "test_league.py",
    "test_log.py",
    "test_moved.py",
    "test_new_game.py",
    "test_notebooks.py",
    "test_packaging.py",
    "test_person.py",
    "test_places.py",
    "test_ratings.py",
    "test_readme.py",
    "test_records.py",
    "test_report.py",
    "test_reproducible.py",
    "test_results.py",
    "test_rulings.py",
    "test_sameness.py",
    "test_signature.py",
    "test_sprt.py",
    "test_start.py",
    "test_typing.py",
    "test_warming.py",
    "suite",
    "training",
    "viewer",
    "web",
)
collect_ignore = [] if JIT else ONCE


def pytest_collection_modifyitems(config, items):
    """Leave out what is marked `once`."""
    if JIT:
        return
    left_out = [item for item in items if item.get_closest_marker("once")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if item not in left_out]
