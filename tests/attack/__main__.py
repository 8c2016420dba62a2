"""`python -m attack` in the folder `tests`."""

from attack.report import main

main()
