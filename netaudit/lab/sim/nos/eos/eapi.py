"""eAPI: JSON-RPC over HTTPS. The commands of a request share a login, and end at the first that is refused."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.https_server import Request, Response, json_response
from netaudit.lab.sim.nos.eos.cli import EosCli, Refused
from netaudit.lab.sim.nos.eos.device import Eos

_REFUSED, _UNCONVERTED = 1002, 1003


def answer(fabric: Fabric, switch: Eos, request: Request) -> Response:
    """The answer to a request of `/command-api`."""
    if "no shutdown" not in switch.tree.get("management api http-commands", {}):
        return Response(status=503, content_type="text/plain", body=b"eAPI is shut down\n")
    if request.path != "/command-api" or request.method != "POST":
        return Response(status=404, content_type="text/plain", body=b"Not Found\n")
    try:
        asked = request.json()
    except ValueError:
        return json_response(_error(None, -32700, "Parse error", []))
    asked = asked if isinstance(asked, dict) else {}
    params = asked.get("params")
    if not isinstance(params, dict) or asked.get("method") != "runCmds" or not isinstance(params.get("cmds"), list):
        return json_response(_error(None, -32600, "Invalid request", []))
    commands = [str(one.get("cmd", "")) if isinstance(one, dict) else str(one) for one in params["cmds"]]
    cli = EosCli(fabric, switch, enabled=False)
    return json_response(_run(cli, commands, asked.get("id"), words_wanted=params.get("format") == "text"))


def _run(cli: EosCli, commands: list[str], number: object, *, words_wanted: bool) -> Mapping[str, object]:
    results: list[object] = []
    for at, command in enumerate(commands, start=1):
        try:
            words, data = cli.execute(command.strip())
        except Refused as refused:
            message = f"CLI command {at} of {len(commands)} '{command.strip()}' failed: invalid command"
            return _error(number, _REFUSED, message, [*results, {"errors": [str(refused)]}])
        if words_wanted:
            results.append({"output": words})
        elif data is None:
            message = f"CLI command {at} of {len(commands)} '{command.strip()}' failed: unconverted command"
            return _error(number, _UNCONVERTED, message, [*results, {"errors": ["This is an unconverted command"]}])
        else:
            results.append(data)
    return {"jsonrpc": "2.0", "id": number, "result": results}


def _error(number: object, code: int, message: str, data: list[object]) -> Mapping[str, object]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message, "data": data}}
