"""A snapshot holds no secret: not of a CLI's text, not of a database's JSON; and nothing else is lost from it."""

from __future__ import annotations

import json

import pytest

from netaudit.collect.masked import HIDDEN, masked
from netaudit.platforms import Answer

SECRET = "hunter2-5ecret"
LINES = [
    f"username admin privilege 15 secret sha512 {SECRET}",
    f"enable password sha512 {SECRET}",
    f"snmp-server community {SECRET} ro",
    f"   neighbor FABRIC password 7 {SECRET}",
    f"tacacs-server host 192.0.2.9 key 7 {SECRET}",
    f"snmp-server user netops network-admin auth md5 {SECRET} priv {SECRET}",
    f"        hashed-password: {SECRET}",
    f"ntp authentication-key 1 md5 {SECRET}",
]
KEPT = [
    "   description key server of rack 3",
    "route-map KEY-IN permit 10",
    "ip prefix-list SECRET-IN seq 5 permit 10.0.0.0/8",
    "class-map type qos match-any AUTH-KEY x",
    "   certificate gnmi.crt key gnmi.key",
    "set interfaces et-0/0/0 description key to the vault",
    "router bgp 65000",
]


@pytest.mark.parametrize("line", LINES)
def test_what_stands_behind_a_word_for_a_secret_is_not_kept(line: str) -> None:
    text = masked({"running": Answer(text=f"hostname leaf1\n{line}\nrouter bgp 65000\n")})["running"].text
    assert SECRET not in text
    assert HIDDEN in text
    assert text.splitlines()[0] == "hostname leaf1"
    assert text.splitlines()[2] == "router bgp 65000"


def test_names_and_free_text_that_an_audit_compares_stay_as_they_are() -> None:
    text = "\n".join((*KEPT, LINES[0], ""))
    assert masked({"running": Answer(text=text)})["running"].text.splitlines()[: len(KEPT)] == KEPT


def test_fields_of_a_database_are_hidden_by_their_names_and_other_values_stay() -> None:
    tree = {
        "TACPLUS": {"global": {"passkey": SECRET, "timeout": "5"}},
        "SNMP_COMMUNITY": {SECRET: {"TYPE": "RO"}},
        "PORT": {"Ethernet0": {"description": "key server"}},
    }
    text = masked({"saved": Answer(text=json.dumps(tree))})["saved"].text
    assert SECRET not in text
    assert json.loads(text) == {
        "TACPLUS": {"global": {"passkey": HIDDEN, "timeout": "5"}},
        "PORT": {"Ethernet0": {"description": "key server"}},
    }


def test_json_that_is_cut_off_is_hidden_too_and_an_answer_without_secrets_is_the_same_object() -> None:
    cut = masked({"saved": Answer(text=f'{{"TACPLUS": {{"global": {{"passkey": "{SECRET}", "ti')})["saved"].text
    assert SECRET not in cut
    plain = Answer(text='{"PORT": {"Ethernet0": {"speed": "400000"}}}')
    assert masked({"PORT": plain})["PORT"] is plain
