"""Storage out of reach: attempts end after a while."""

import pytest

from stardeck.benchmarks.results.filesystems import MOST_SECONDS, place


@pytest.mark.parametrize(
    ("url", "seconds"),
    [("gs://bucket/folder", MOST_SECONDS), ("gs://bucket/folder?retry_limit_seconds=3", 3)],
)
def test_google_storage_is_tried_for_a_limited_time(url, seconds):
    found = place(url)
    assert found.files.__reduce__()[1][0]["retry_time_limit"].total_seconds() == seconds
    assert str(found) == "gs://bucket/folder"
