"""What runs inside a switch: its first process, how FRR starts, SONiC's commands, and the files they need."""

from __future__ import annotations

import ctypes
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from netaudit.lab.frr.namespace import SYSCTLS

START: Final = """#!/bin/sh
# The first process of a switch: killing it ends the whole switch. $1: folder of the lab, $2: name of the switch.
set -e
hostname "$2"
mount -t tmpfs -o mode=755 tmpfs /run
mkdir /run/lab
mount --bind "$1" /run/lab # by this name it is still there when /tmp and /home are hidden
box=/run/lab/devices/$2
mount --bind /run/lab/common/etc /etc
mount --bind "$box/etc/sonic" /etc/sonic
mount --bind "$box/etc/sonic/frr" /etc/frr
mount --bind /run/lab/common/bin /usr/local/sbin
mount -t tmpfs -o mode=755 tmpfs /home
mkdir /home/admin
mount --bind "$box/home/admin" /home/admin
mount --bind "$box/tmp" /tmp
# daemons of all switches have the same pids, so their files /var/tmp/frr/DAEMON.PID would be the same too
mount -t tmpfs -o mode=1777 tmpfs /var/tmp
mount -t tmpfs -o mode=755 tmpfs /var/log
umount -l /run/lab
mount -t proc proc /proc
mkdir -p /run/frr /run/sshd /run/lldpd /run/redis /var/log/frr
chown frr:frr /run/frr /var/log/frr
chown _lldpd /run/lldpd
sysctl -q -w {sysctls}
ip link set lo up
redis-server --bind 127.0.0.1 --unixsocket /run/redis/redis.sock --save '' --appendonly no --databases 16 \\
    --notify-keyspace-events KA --loglevel warning --logfile /var/log/redis.log --daemonize yes >/dev/null
lldpd -u /run/lldpd.socket -I 'Ethernet*' -C 'Ethernet*' -k
# lldpd starts paused, and the lldpcli that it starts to end that may come before its socket is there
printf 'configure lldp tx-interval {lldp_s}\\nconfigure lldp tx-hold 4\\nresume\\n' >/run/lldpd.txt
lldpcli -u /run/lldpd.socket </run/lldpd.txt >/dev/null
touch /run/ready
sleep infinity &
while :; do wait; done # and reap what its children leave
"""

FRR: Final = """#!/bin/sh
# lab-frr start|stop|restart unified|none: FRR as the bgp container starts it. none: without our frr.conf.
set -e
d={frr}
stop() {{
    for one in bgpd bfdd staticd zebra; do
        [ ! -e /run/frr/$one.pid ] || kill "$(cat /run/frr/$one.pid)" 2>/dev/null || true
    done
    for one in bgpd bfdd staticd zebra; do
        n=0
        while [ -e /run/frr/$one.pid ] && kill -0 "$(cat /run/frr/$one.pid)" 2>/dev/null; do
            n=$((n + 1))
            [ $n -lt 100 ] || kill -9 "$(cat /run/frr/$one.pid)" 2>/dev/null || true
            sleep 0.05
        done
        rm -f /run/frr/$one.pid /run/frr/$one.vty
    done
    for family in -4 -6; do
        for one in bgp static; do ip $family route flush proto $one 2>/dev/null || true; done
    done
}}
start() {{
    # dplane_fpm_nl: without it vtysh stumbles over the two fpm lines of SONiC
    $d/zebra -M dplane_fpm_nl -d -A 127.0.0.1 -s 90000000
    $d/staticd -d -A 127.0.0.1
    $d/bgpd -d -A 127.0.0.1
    $d/bfdd -d -A 127.0.0.1
    [ "$1" != unified ] || vtysh -b >/var/log/frr/boot.log 2>&1 || true # good lines are taken beside bad ones
    lab-keep
}}
case $1 in
start) start "$2" ;;
stop) stop ;;
restart)
    stop
    start "$2"
    ;;
esac
"""

KEEP: Final = """#!/bin/sh
# Without it the kernel's next-hop group stays short after a flap (FRR 8.4), and frr-reload.py takes it out.
exec vtysh -c 'configure terminal' -c 'zebra nexthop-group keep 1' >/dev/null
"""

_RELOAD: Final = """#!/bin/sh
{frr}/frr-reload.py "$@"
code=$?
lab-keep || true
exit $code
"""

_SUDO: Final = """#!/bin/sh
# admin is root here already
[ "$1" != -n ] || shift
exec "$@"
"""

_DOCKER: Final = """#!/bin/sh
# `docker exec bgp COMMAND`: there is no container, and the same paths
while :; do case $2 in -i | -t | -it) a=$1; shift 2; set -- "$a" "$@" ;; *) break ;; esac; done
if [ "$1" != exec ] || [ "$2" != bgp ] || [ $# -lt 3 ]; then
    echo 'docker: only `docker exec bgp COMMAND` is there' >&2
    exit 1
fi
shift 2
case $1 in */frr-reload.py) shift; exec /usr/local/sbin/frr-reload.py "$@" ;; esac
exec "$@"
"""

_ASK: Final = """#!/usr/bin/python3 -IS
# A command of SONiC's that the lab carries out: it acts on this switch's databases, files and ports.
import json, os, socket, sys
with socket.socket(socket.AF_UNIX) as agent:
    try:
        agent.connect("/run/agent.sock")
        words = [os.path.basename(sys.argv[0]), *sys.argv[1:]]
        agent.sendall(json.dumps({"words": words, "folder": os.getcwd()}).encode() + b"\\n")
        answer = json.loads(agent.makefile("rb").readline())
    except (OSError, ValueError) as error:
        sys.exit(f"the lab does not answer: {error}")
sys.stdout.write(answer["out"])
sys.stderr.write(answer["err"])
sys.exit(answer["code"])
"""

SSHD: Final = """# sshd -i of every switch of the lab
HostKey /etc/ssh/lab_host_key
UsePAM no
PermitRootLogin yes
PasswordAuthentication yes
KbdInteractiveAuthentication no
StrictModes no
UseDNS no
PrintMotd no
PidFile none
LogLevel ERROR
Subsystem sftp internal-sftp
"""

_ETC: Final = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "nsswitch.conf", "localtime", "alternatives", "services")
"""What of the machine's /etc programs need; nothing of it is secret."""
_USERS: Final = ("root", "frr", "_lldpd", "sshd", "redis", "nobody")
UNNUMBERED: Final = "net.ipv6.conf.default.addr_gen_mode=1"
"""A port has a link-local address where its configuration says so."""
LLDP_S: Final = 3
"""Seconds between two LLDP frames: SONiC's 10 (lldpd.conf) would make every test of a moved cable wait."""
FRR_HOME: Final = Path("/usr/lib/frr")


def write_common(folder: Path, user: str, password: str, host_key: bytes) -> None:
    """Write what all switches of a lab share: /etc, and the commands on PATH. `folder` is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, (text, mode) in _programs().items():
        _write(folder / "bin" / path, text, mode)
    etc = folder / "etc"
    for name in ("sonic", "frr", "ssh"):
        (etc / name).mkdir(parents=True)
    for name in _ETC:
        _copy(Path("/etc") / name, etc / name)
    _write(etc / "start.sh", START.format(sysctls=" ".join((*SYSCTLS, UNNUMBERED)), lldp_s=LLDP_S), 0o755)
    _write(etc / "ssh/sshd_config", SSHD, 0o600)
    _write(etc / "ssh/lab_host_key", host_key.decode(), 0o600)
    passwd = [line for line in Path("/etc/passwd").read_text().splitlines() if line.split(":")[0] in _USERS]
    _write(etc / "passwd", "\n".join([*passwd, f"{user}:x:0:0::/home/{user}:/bin/bash"]) + "\n", 0o644)
    _write(etc / "group", Path("/etc/group").read_text(), 0o644)
    _write(etc / "shadow", f"root:*:::::::\n{user}:{_crypted(password)}:::::::\n", 0o600)
    _write(etc / "pam.d/frr", "auth required pam_permit.so\naccount required pam_permit.so\n", 0o644)  # vtysh asks
    _write(etc / "hosts", "127.0.0.1 localhost\n::1 localhost\n", 0o644)
    _write(etc / "os-release", 'PRETTY_NAME="SONiC stand-in with FRR"\n', 0o644)
    for made in (folder, etc, folder / "bin"):
        made.chmod(0o755)  # FRR and lldpd drop to users of their own


def _programs() -> Mapping[str, tuple[str, int]]:
    """Name on PATH → script."""
    return {
        "lab-frr": (FRR.format(frr=FRR_HOME), 0o755),
        "lab-keep": (KEEP, 0o755),
        "frr-reload.py": (_RELOAD.format(frr=FRR_HOME), 0o755),
        "sudo": (_SUDO, 0o755),
        "docker": (_DOCKER, 0o755),
        **dict.fromkeys(("config", "show", "systemctl"), (_ASK, 0o755)),
    }


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, symlinks=True, ignore_dangling_symlinks=True)
    elif source.exists():
        shutil.copy(source, target)


def _write(path: Path, text: str, mode: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def _crypted(password: str) -> str:
    """The password as /etc/shadow holds it: SHA-256 by libcrypt, which sshd asks too (crypt(5))."""
    crypt = ctypes.CDLL("libcrypt.so.1").crypt
    crypt.restype = ctypes.c_char_p
    made: bytes | None = crypt(password.encode(), f"$5$rounds=1000${secrets.token_hex(8)}$".encode())
    return made.decode() if made else "*"
