"""The lab's program, with the kinds of devices of this folder beside its own: `python -m lab.nos.served LABDIR`."""

import sys
from pathlib import Path

from netaudit.lab.sim import nos
from netaudit.lab.sim.__main__ import main

nos.__path__.append(str(Path(__file__).with_name("kinds")))

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
