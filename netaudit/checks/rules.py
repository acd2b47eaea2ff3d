"""What each rule of `check` is called: its id and the problem it names, for every id that a check can give."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

RULES: Mapping[str, str] = MappingProxyType(
    {
        "BGP-07": "fewer paths are used together than there are",
        "CAB-09": "a cable is longer than its medium reaches, or the medium does not carry the speed",
        "CAB-10": "a measured cable is none of this fabric",
        "ECN-01": "kmin and kmax are equal, and pmax is below 100 %",
        "ECN-02": "kmax is above all that is shared: ECN is off in practice",
        "ECN-03": "PFC fires before marking is complete",
        "ECN-04": "kmin costs throughput or latency",
        "ECN-05": "kmax is a longer wait than is of use",
        "ECN-06": "pmax marks nothing",
        "ECN-08": "thresholds do not scale with the speed",
        "ECN-09": "CNPs wait behind the congestion that they report",
        "ETS-02": "a lossless class is strict",
        "ETS-03": "lossless classes get less than half of a link",
        "HDR-02": "no published row covers speed and length",
        "HDR-03": "a published row has less headroom than is needed",
        "HDR-05": "headroom does not fit into the buffer, or leaves little of it for bursts",
        "HDR-06": "shared headroom has no effect",
        "HDR-07": "a port takes more of the shared headroom pool than it may",
        "HDR-09": "alpha is rounded",
        "HDR-14": "a length is rounded up to the next published row",
        "INT-04": "a packet does not fit into what carries it",
        "NIC-01": "the NIC does not run at that speed",
        "NIC-02": "the NIC has fewer ports than there are planes",
        "NIC-03": "the NIC does not carry all its ports at that speed",
        "NIC-04": "PCIe does not carry what the NIC does",
        "OVR-01": "an override meets nothing",
        "OVR-02": "an override asks for a speed that the port cannot run at",
        "OVR-03": "an override has no effect",
        "OVR-04": "an override is past its last day",
        "PFC-04": "no class is lossless, or more than a shallow buffer bears",
        "PLT-01": "the platform cannot do what is asked for",
        "PLT-02": "the platform has no place for a leaf",
        "PLT-03": "an area is not ours",
        "RAW-01": "a raw snippet meets no device",
        "RIB-08": "parallel links without weights",
        "WD-03": "the watchdog does not end a storm",
        "WD-05": "the watchdog polls less often than it must act",
    }
)
"""Ids as in audit-rules.md where it has the rule. CAB-09, CAB-10, HDR-14, NIC, OVR, PLT and RAW are of `check`
alone."""
