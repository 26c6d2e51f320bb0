"""`python -m payspec_cli`."""

from payspec_cli import main

main()
