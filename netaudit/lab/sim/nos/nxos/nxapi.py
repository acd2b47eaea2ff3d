"""NX-API: JSON-RPC over HTTPS, `cli` for structured answers and configuration, `cli_ascii` for words."""

from __future__ import annotations

from collections.abc import Mapping

from netaudit.lab.sim.fabric import Fabric
from netaudit.lab.sim.https_server import Request, Response, json_response
from netaudit.lab.sim.nos.nxos.cli import NxosCli
from netaudit.lab.sim.nos.nxos.config import refuses
from netaudit.lab.sim.nos.nxos.device import Nexus


def answer(fabric: Fabric, switch: Nexus, request: Request) -> Response:
    """The answer to a request of `/ins`. Its commands share a login, and end at the first that fails."""
    if "feature nxapi" not in switch.tree:
        return Response(status=503, content_type="text/plain", body=b"NX-API is disabled\n")
    if request.path != "/ins" or request.method != "POST":
        return Response(status=404, content_type="text/plain", body=b"Not Found\n")
    try:
        asked = request.json()
    except ValueError:
        return json_response(_error(None, -32700, "Parse error", ""), 400)
    calls = asked if isinstance(asked, list) else [asked]
    cli = NxosCli(fabric, switch)
    answers = []
    for call in calls:
        one = _call(cli, call if isinstance(call, dict) else {})
        answers.append(one)
        if "error" in one:
            break
    answers += [_error(_id(call), -32000, "Not executed", "") for call in calls[len(answers) :]]
    failed = any("error" in one for one in answers)
    return json_response(answers if isinstance(asked, list) else answers[0], 500 if failed else 200)


def _id(call: object) -> object:
    return call.get("id") if isinstance(call, dict) else None


def _error(number: object, code: int, message: str, told: str) -> Mapping[str, object]:
    error = {"code": code, "message": message, "data": {"msg": told}}
    return {"jsonrpc": "2.0", "error": error, "id": number}


def _call(cli: NxosCli, call: Mapping[str, object]) -> Mapping[str, object]:
    """One command. Lines of configuration need no `configure terminal`; what refuses in words only is a success."""
    params = call.get("params")
    command = str(params.get("cmd", "")).strip() if isinstance(params, dict) else ""
    number, method = call.get("id"), call.get("method")
    if method not in ("cli", "cli_ascii") or not command:
        return _error(number, -32601 if command else -32602, "Method not found" if command else "Invalid params", "")
    show = cli.shown(command)
    if show is None:
        said = str(cli.run(command).out)
        if "Invalid command" in said:
            cli.run("configure terminal")
            said = str(cli.run(command).out)
    else:
        said = show.text
    if "Invalid" in said and refuses(said):
        return _error(number, -32602, "Invalid params", f"Input CLI command error\n{said}")
    if method == "cli_ascii":
        return {"jsonrpc": "2.0", "result": {"msg": said}, "id": number}
    if show is not None and show.data is not None:
        return {"jsonrpc": "2.0", "result": {"body": show.data}, "id": number}
    if show is not None:
        return _error(number, -32000, "structured output unsupported", "")
    return {"jsonrpc": "2.0", "result": {"msg": said} if said else None, "id": number}
