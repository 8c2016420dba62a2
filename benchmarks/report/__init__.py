"""Reports: a declared list of measurements, which are run or continued, and one page with their results.

`declared` reads the list (the tables of the manual come from benchmarks/report.toml), and `measured` runs it. `cells`
puts a measurement into words, `tables` puts words into tables, and `page` writes the page.
"""
