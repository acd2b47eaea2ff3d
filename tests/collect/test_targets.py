"""Targets files and secrets: what they give, and what is said of wrong ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from netaudit import platforms
from netaudit.collect.secrets import Secret, reference, secret
from netaudit.collect.targets import check_secrets, load_targets, site_targets
from netaudit.diag import Invalid, Unusable

GOOD = {
    "targets": {
        "leaf1": {"address": "127.0.0.1", "ssh_port": 2201, "gnmi_port": 5001},
        "leaf2": {"address": "switch.example.net"},
    },
    "ca": "ca.pem",
    "known_hosts": "known_hosts",
    "credentials": {"user": "admin", "password": "file:password"},
}
BOTH = {"leaf1": "sonic", "leaf2": "sonic"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("ca.pem", "x"), ("known_hosts", ""), ("password", "pw\n")):
        (tmp_path / name).write_text(text)
    return tmp_path


def written(folder: Path, **changes: object) -> Path:
    file = folder / "targets.json"
    file.write_text(json.dumps({**GOOD, **changes}))
    return file


def messages(folder: Path, **changes: object) -> list[str]:
    with pytest.raises(Invalid) as caught:
        load_targets(written(folder, **changes), BOTH)
    return [d.message for d in caught.value.diagnostics]


def test_a_targets_file_gives_each_device_its_target(folder: Path) -> None:
    targets = load_targets(written(folder), BOTH)
    one, two = targets.values()
    assert (one.name, one.address, one.ssh_port, one.gnmi_port, one.user) == ("leaf1", "127.0.0.1", 2201, 5001, "admin")
    assert (two.ssh_port, two.gnmi_port) == (22, 8080)
    assert (one.ca, one.known_hosts) == (folder / "ca.pem", folder / "known_hosts")
    assert one.password is not None
    assert one.password.reveal() == "pw"


def test_the_ports_of_apis_are_the_usual_ones_unless_the_file_says_others(folder: Path) -> None:
    rows = {"leaf1": {"address": "a", "https_port": 4430, "netconf_port": 8300}, "leaf2": {"address": "b"}}
    one, two = load_targets(written(folder, targets=rows), BOTH).values()
    assert (one.https_port, one.netconf_port) == (4430, 8300)
    assert (two.https_port, two.netconf_port) == (443, 830)


def test_gnmi_is_where_the_platform_has_it_unless_the_file_says_otherwise(folder: Path) -> None:
    kinds = dict(zip(("leaf1", "leaf2"), (platforms.names() * 2)[-2:], strict=True))
    usual = {name: platforms.platform(kind).GNMI_PORT for name, kind in kinds.items()}
    rows = {name: {"address": "a"} for name in kinds}
    assert {n: t.gnmi_port for n, t in load_targets(written(folder, targets=rows), kinds).items()} == usual
    found = site_targets(dict.fromkeys(kinds, "a"), kinds, user="x", password="env:X")
    assert {n: t.gnmi_port for n, t in found.items()} == usual


def test_devices_that_are_not_asked_for_are_left_out(folder: Path) -> None:
    assert list(load_targets(written(folder), {"leaf2": "sonic"})) == ["leaf2"]


def test_all_problems_of_a_file_are_told_at_once(folder: Path) -> None:
    assert messages(
        folder,
        targets={"leaf1": {"address": "", "ssh_port": 0, "gnmi_prot": 1}, "leaf22": {}},
        ca="nothing.pem",
        credentials={"password": "hunter2"},
        extra=1,
    ) == [
        "unknown key `extra`",
        "`credentials.password` is no reference",
        f"`ca`: there is no file {folder / 'nothing.pem'}",
        "unknown key `targets.leaf1.gnmi_prot`",
        "`targets.leaf1.address` is no host name or address",
        "`targets.leaf1.ssh_port` is no port number",
        "no target for device `leaf2`",
    ]


def test_a_missing_device_is_hinted_at_by_the_nearest_name(folder: Path) -> None:
    with pytest.raises(Invalid) as caught:
        load_targets(written(folder, targets={"leaf22": {"address": "x"}}), {"leaf2": "sonic"})
    assert caught.value.diagnostics[0].hint == "the file has `leaf22`"


def test_a_password_in_the_file_is_never_repeated(folder: Path) -> None:
    with pytest.raises(Invalid) as caught:
        load_targets(written(folder, credentials={"user": "admin", "password": "hunter2"}), BOTH)
    assert "hunter2" not in str(caught.value) + repr(caught.value.diagnostics)


BROKEN = {
    "cut off": b'{"targets": {"leaf1"',
    "not text": b"\xff\xfe\x00",
    "another kind": b"[1, 2]",
    "empty": b"",
    "too deep": b"[" * 100_000,
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_file_that_is_none_is_refused(folder: Path, what: str) -> None:
    file = folder / "targets.json"
    file.write_bytes(BROKEN[what])
    with pytest.raises(Invalid):
        load_targets(file, BOTH)


def test_a_missing_file_says_who_writes_one(folder: Path) -> None:
    with pytest.raises(Invalid) as caught:
        load_targets(folder / "nothing.json", BOTH)
    assert "lab up" in caught.value.diagnostics[0].hint


def test_a_site_needs_an_address_for_every_device() -> None:
    with pytest.raises(Invalid) as caught:
        site_targets({"leaf1": "192.0.2.1"}, BOTH, user="env:U", password="keyring:netaudit")
    assert [d.message for d in caught.value.diagnostics] == ["`leaf2` has no management address"]


def test_a_secret_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NETAUDIT_TEST", "hunter2")
    one = secret("env:NETAUDIT_TEST")
    assert one.reveal() == "hunter2"
    for shown in (str(one), repr(one), f"{one}", f"{one!r}", "%s" % one, repr([one])):  # noqa: UP031 - each way to print
        assert "hunter2" not in shown
        assert "<secret:NETAUDIT_TEST>" in shown
    assert reference(one) == "env:NETAUDIT_TEST"


@pytest.mark.parametrize("text", ["hunter2", "env:", "", "vault:x", ":x"])
def test_what_is_no_reference_is_refused_without_repeating_it(text: str) -> None:
    with pytest.raises(ValueError, match="by reference") as caught:
        secret(text)
    assert not text or text not in str(caught.value).replace("env:NAME", "")


def test_a_reference_that_leads_nowhere_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NETAUDIT_TEST", raising=False)
    (tmp_path / "empty").touch()
    for one in (secret("env:NETAUDIT_TEST"), secret("file:nothing", tmp_path), secret("file:empty", tmp_path)):
        with pytest.raises(Unusable) as caught:
            one.reveal()
        assert caught.value.hint


def test_a_keyring_without_the_entry_or_the_package_says_what_to_do() -> None:
    with pytest.raises(Unusable) as caught:
        Secret("keyring", "netaudit-test-no-such-entry").reveal()
    assert caught.value.hint


def test_secrets_are_checked_before_any_device_is_asked(folder: Path) -> None:
    targets = load_targets(written(folder), BOTH)
    check_secrets(targets.values())
    (folder / "password").unlink()
    with pytest.raises(Unusable, match="cannot be read"):
        check_secrets(targets.values())
