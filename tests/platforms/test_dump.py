"""config_db.json is written by hand for speed: byte by byte what `json.dumps` writes."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from netaudit.platforms.sonic.tables import dump, natural

TEXT = st.text(max_size=12)
ROWS = st.dictionaries(TEXT, TEXT | st.lists(TEXT, max_size=3), max_size=4)


@given(st.dictionaries(TEXT, st.dictionaries(TEXT, ROWS, max_size=4), max_size=4))
def test_a_database_is_written_as_json_dumps_writes_it(
    tables: dict[str, dict[str, dict[str, str | list[str]]]],
) -> None:
    ordered = {
        name: {key: dict(sorted(rows[key].items(), key=lambda i: natural(i[0]))) for key in sorted(rows, key=natural)}
        for name, rows in sorted(tables.items())
        if rows
    }
    assert dump(tables) == json.dumps(ordered, indent=4, ensure_ascii=False) + "\n"
