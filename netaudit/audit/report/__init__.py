"""The forms an audit's answer takes: text, JSON, and one HTML page; all three say the same, in the same order."""
