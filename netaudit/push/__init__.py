"""From a reviewed plan to verified devices, in waves, and back."""
