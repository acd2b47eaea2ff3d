"""Routes that no failure explains: at a device of their own, or under the setting they come from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from audit.world import Fault, broken, concluded, link_down, programmed, setting, told, two_plane
from netaudit.audit.findings import AuditResult
from netaudit.state import ABSENT, Route, RouteKey, Store

LEAF, SPINE = "a-su1-r1-leaf", "a-spine1"
OWN = {"10.0.0.0/28", "10.255.0.1/32", "fd00:ff::1/128"}
LEARNED = 7 * 3 + 2 * 2
"""Of the 7 other leaves of the plane aggregate and 2 loopbacks, of its 2 spines 2 loopbacks."""

FEW = 3

Routes = Mapping[RouteKey, Route]


def audited_with_routes(*faults: Fault, devices: Iterable[str], edit: Callable[[Routes], Routes]) -> AuditResult:
    """The audit when some devices hold other routes than all failures explain."""
    expected = two_plane()
    world = dict(broken(expected, *faults))
    for name in devices:
        state = world[name][Store.STATE]
        assert state.routes is not None
        world[name] = {**world[name], Store.STATE: replace(state, routes=edit(state.routes))}
    return concluded(expected, world)


def only_own(routes: Routes) -> Routes:
    return {key: route for key, route in routes.items() if not route.hops}


def through_one_port(routes: Routes) -> Routes:
    return {key: Route(frozenset({"64"}), r.as_paths) if r.hops else r for key, r in routes.items()}


def without_own(routes: Routes) -> Routes:
    return {key: route for key, route in routes.items() if key[1] not in OWN}


def texts(result: AuditResult) -> list[str]:
    return [c.text for f in result.findings for c in f.consequences]


def test_a_missing_prefix_without_a_cause_is_one_finding_for_all_devices() -> None:
    others = [n for n in two_plane().devices if n.startswith("a-su2")]
    result = audited_with_routes(devices=others, edit=without_own)
    assert told(result) == [("RIB-01", "10.255.0.1/32")]
    (finding,) = result.findings
    assert set(finding.objects) == OWN
    assert finding.title == "10.255.0.1/32 and 2 more are missing on 4 devices"


def test_missing_and_extra_prefixes_are_told_apart() -> None:
    extra = {("default", "0.0.0.0/0"): Route(frozenset({"64"}), frozenset({(4200100000,)}))}
    result = audited_with_routes(devices=[LEAF], edit=lambda r: {**only_own(r), **extra})
    assert sorted(f.title.partition(" on ")[0] for f in result.findings) == [
        "0.0.0.0/0 is there and should not be",
        f"10.255.0.2/32 and {LEARNED - 1} more are missing",
    ]


def test_fewer_next_hops_without_a_cause_are_rib_02() -> None:
    """As after a flap that leaves the kernel's next-hop group short (lab.md): no session shows it."""
    result = audited_with_routes(devices=[LEAF], edit=through_one_port)
    (finding,) = result.findings
    assert (finding.rule, finding.device, len(finding.objects)) == ("RIB-02", LEAF, LEARNED)
    assert finding.comparisons[0].observed["state"].startswith("64 via 4200100000")


def test_a_longer_as_path_over_the_same_ports_is_rib_03() -> None:
    def longer(routes: Routes) -> Routes:
        return {
            key: Route(r.hops, frozenset((*path, path[-1]) for path in r.as_paths)) if r.hops else r
            for key, r in routes.items()
        }

    result = audited_with_routes(devices=[SPINE], edit=longer)
    assert {f.rule for f in result.findings} == {"RIB-03"}


def test_routes_hang_on_the_import_policy_that_keeps_them_out() -> None:
    """Established, no routes: eBGP without a policy takes nothing (RFC 8212)."""
    gone = [setting(LEAF, f"bgp.neighbors.{port}.import_policy", ABSENT) for port in (61, 62, 63, 64)]
    result = audited_with_routes(*gone, devices=[LEAF], edit=only_own)
    assert [f.rule for f in result.findings] == ["BGP-11"]
    assert texts(result) == [f"{LEARNED} routes on 1 device"]


def test_routes_of_others_hang_on_the_export_policy_at_their_origin() -> None:
    gone = [setting(LEAF, f"bgp.neighbors.{port}.export_policy", ABSENT) for port in (61, 62, 63, 64)]
    others = [n for n in two_plane().devices if n.startswith("a-") and n != LEAF]
    result = audited_with_routes(*gone, devices=others, edit=without_own)
    assert [f.rule for f in result.findings] == ["BGP-11"]
    assert texts(result) == ["27 routes on 9 devices"]


def test_routes_of_others_hang_on_a_spine_that_passes_nothing_on() -> None:
    """Every leaf keeps the hops through the other spine only."""

    def through_the_other(routes: Routes) -> Routes:
        kept = {key: Route(r.hops - {"63", "64"}, r.as_paths) if r.hops else r for key, r in routes.items()}
        return {key: r for key, r in kept.items() if r.hops or r.as_paths == {()}}

    leaves = [n for n in two_plane().devices if n.startswith("a-su")]
    fault = setting(SPINE, "bgp.policies.FABRIC-OUT.permits", frozenset())
    result = audited_with_routes(fault, devices=leaves, edit=through_the_other)
    assert told(result) == [("BGP-11", f"{SPINE} bgp.policies.FABRIC-OUT.permits")]
    assert texts(result) == [f"{8 * (7 * 3 + 2)} routes on 8 devices"]


def test_routes_hang_on_the_number_of_paths_that_narrows_them() -> None:
    result = audited_with_routes(setting(LEAF, "bgp.maximum_paths", 1), devices=[LEAF], edit=through_one_port)
    assert told(result) == [("BGP-07", f"{LEAF} bgp.maximum_paths")]
    assert texts(result) == [f"{LEARNED} routes on 1 device"]


def test_a_setting_of_one_device_excuses_no_route_of_another() -> None:
    result = audited_with_routes(
        setting("a-su1-r2-leaf", "bgp.maximum_paths", 1), devices=[LEAF], edit=through_one_port
    )
    assert sorted(f.rule for f in result.findings) == ["BGP-07", "RIB-02"]


def with_hardware(*, edit: Callable[[Routes], Routes], device: str = LEAF) -> AuditResult:
    """The audit when the hardware of one device holds other routes than its routing table."""
    expected = two_plane()
    world = dict(broken(expected))
    seen = programmed(world[device])
    applied = seen[Store.APPLIED]
    assert applied.routes is not None
    world[device] = {**seen, Store.APPLIED: replace(applied, routes=edit(applied.routes))}
    return concluded(expected, world)


def test_a_route_that_the_hardware_forwards_over_fewer_ports_is_a_finding_of_its_device() -> None:
    key = ("default", "10.0.0.112/28")
    (finding,) = with_hardware(edit=lambda r: {**r, key: Route(frozenset({"64"}), frozenset())}).findings
    assert (finding.rule, finding.device, finding.objects) == ("RIB-04", LEAF, (key[1],))
    (comparison,) = finding.comparisons
    assert comparison.observed == {"state": "61, 62, 63, 64", "applied": "64"}


def test_a_route_that_the_hardware_lacks_or_kept_is_a_finding_as_well() -> None:
    key, stale = ("default", "10.0.0.112/28"), ("default", "203.0.113.0/24")
    (finding,) = with_hardware(
        edit=lambda r: {stale: Route(frozenset({"64"}), frozenset()), **{k: v for k, v in r.items() if k != key}}
    ).findings
    assert finding.rule == "RIB-04"
    assert [(c.what.split(".", 1)[1], c.observed["applied"]) for c in finding.comparisons] == [
        (key[1], "no next hop"),
        (stale[1], "64"),
    ]


def test_all_routes_that_one_switch_did_not_program_are_one_finding() -> None:
    (finding,) = with_hardware(edit=lambda _: {}, device=SPINE).findings
    assert finding.rule == "RIB-04"
    assert len(finding.objects) > FEW
    assert len(finding.objects) == len(finding.comparisons)


def test_what_follows_from_a_failure_in_both_tables_is_no_finding_of_the_hardware() -> None:
    """A cut cable narrows the routing table and the hardware alike."""
    assert [f.rule for f in concluded(two_plane(), broken(two_plane(), link_down(f"{LEAF}:64"))).findings] == ["INT-01"]
