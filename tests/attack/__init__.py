"""Bad inputs over every door by which something enters from outside: `make attack`.

An input is either refused by an error of ours that names it, with nothing changed, or it is accepted; then it must be
playable: masks, observations, hidden information dealt again, words, the position there and back, random decisions.
Inputs follow from a seed; each door runs in a process of its own, so that a crash is a finding as well.

| module | what |
| --- | --- |
| `inputs` | values of every kind, and things spoiled in one or more places |
| `playing` | what an accepted input must stand, and what counts as refused |
| `library` | doors of `Game` and of the environments: settings, actions, words, positions, tables … |
| `commands` | doors of the commands: scenarios, saved games, results, arguments |
| `report` | doors one after the other, the table, the exit code |
"""
