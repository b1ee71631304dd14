"""JSON in requests and messages, and errors in responses."""

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from zrf_py.serve.rights import Refused
from zrf_py.text.diagnostics import ZrfError
from zrf_py.text.source import harmless


async def read_body(request: Request) -> dict[str, Any]:
    """Return a request's JSON object.

    :raises ZrfError: if the body isn't one.
    """
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise Refused("the message must be JSON", "bad-message")
    return read_message(await request.body())


def read_message(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object in a text.

    :raises ZrfError: if the text isn't one.
    """
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Refused("not a valid message", "bad-message")
    return message


def error_json(error: ZrfError) -> dict[str, Any]:
    """Return an error as JSON for a page."""
    first = error.diagnostics[0]
    fields = {"code": first.code, "summary": harmless(first.message), "help": harmless(first.help)}
    text = getattr(error, "text", "")
    return {**fields, "text": text} if text else fields


def refusal(request: Request, error: Exception) -> Response:
    """Return the response to a request that raised a `ZrfError`: status 429 at a limit, else 400 (POST) or 404."""
    assert isinstance(error, ZrfError)
    status = 429 if error.diagnostics[0].code == "busy" else 400 if request.method == "POST" else 404
    return JSONResponse({"error": error_json(error)}, status)
