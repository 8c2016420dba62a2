"""A report: a declared list of measurements, run or gone on with, and one page of what they say.

`declared` reads the list (benchmarks/report.toml is the one that the manual's tables are made from), `measured` runs
it, `cells` puts a measurement into words, `tables` puts words into tables, `page` writes the page.
"""
