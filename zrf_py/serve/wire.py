"""JSON from strangers, and problems with it in words."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from zrf_py.serve.rights import Refused
from zrf_py.text.diagnostics import ZrfError


async def read_body(request: Request) -> dict[str, Any]:
    """A request's JSON object.

    :raises ZrfError: if it is none.
    """
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refused("JSON is wanted", "bad-message")
    return read_message(await request.body())


def read_message(text: str | bytes) -> dict[str, Any]:
    """The JSON object that a text is.

    :raises ZrfError: if it is none.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Refused("that was no message", "bad-message")
    return message


def said(error: ZrfError) -> dict[str, Any]:
    """A problem as JSON for a page."""
    first = error.diagnostics[0]
    found = {"code": first.code, "summary": first.message, "help": first.help}
    text = getattr(error, "text", "")
    return {**found, "text": text} if text else found


def refusal(request: Request, error: Exception) -> Response:
    """Return the answer to a request that ended with a `ZrfError`; 429: only too much is asked for."""
    assert isinstance(error, ZrfError)
    status = 429 if error.diagnostics[0].code == "busy" else 400 if request.method == "POST" else 404
    return JSONResponse({"error": said(error)}, status)
