"""Invalid inputs at every entry point of the package: `make attack`.

An input is either refused with an error of ours that names it, and nothing changes; or it is accepted. Accepted inputs
must be playable: masks, observations, resampling, words, positions there and back, random decisions. Inputs follow from
a seed. Each entry point runs in a process of its own, and a crash counts as a failure.

| module | content |
| --- | --- |
| `inputs` | values of every kind, and data corrupted in one or more places |
| `playing` | checks of accepted inputs, and of refusals |
| `library` | entry points of `Game` and of the environments: settings, actions, words, positions, tables … |
| `commands` | entry points of the commands: scenarios, saved games, results, arguments |
| `report` | all entry points in turn, the table, the exit code |
"""
