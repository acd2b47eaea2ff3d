"""A lab of real FRR: each switch a network namespace with real daemons, on one Linux machine."""
