"""The service under test: sends each request exactly as a test writes it.

`requests` on its own would add header fields, keep cookies, follow redirects and tidy up URLs.
"""

import functools
import gzip
import io
import json as json_codec
import os
import random
import re
import time
import urllib.parse
import zlib
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from xml.sax.saxutils import escape as xml_escape

import requests
from requests.adapters import HTTPAdapter
from urllib3 import HTTPHeaderDict
from urllib3.exceptions import ProtocolError
from urllib3.util import SKIP_HEADER

TIME_LIMIT_SECONDS = 60
MAX_BODY_BYTES = 16 * 1024 * 1024
MAX_WAIT_SECONDS = 30
MAX_RESENDS = 3
NOTHING = object()

# Environment variables that hold the header fields of each user, one `Name: value` a line (`?name=value` for a
# query parameter).
USERS = {
    "alice": "RESTIVE_AUTH_ALICE",
}


class ExactAdapter(HTTPAdapter):
    """Sends path and query as they are, also with a double slash at the start."""

    def request_url(self, request, proxies):
        return request.url.removeprefix(origin(request.url))


class Service:
    """Calls the service below its base URL."""

    def __init__(self, base_url, session):
        self.base_url = base_url.rstrip("/")
        self.session = session

    def request(self, verb, url, headers=(), json=NOTHING, body=None, user=None):
        """Sends a request; `headers` is a dict or a list of pairs, `body` is text or bytes."""
        fields = HTTPHeaderDict({"Accept": "*/*", "User-Agent": "restive-suite", "Accept-Encoding": SKIP_HEADER})
        headers = list(headers.items() if isinstance(headers, dict) else headers)
        for name, _ in headers:
            fields.discard(name)
        for name, value in headers:
            fields.add(name, value if value.isascii() else value.encode())
        if json is not NOTHING:
            body = json_codec.dumps(json, separators=(",", ":"), ensure_ascii=False)
            fields.setdefault("Content-Type", "application/json")
        credentials = [os.environ.get("RESTIVE_HEADERS", "")] + ([secret(user)] if user is not None else [])
        url = add_credentials("\n".join(credentials), fields, url)

        request = requests.PreparedRequest()
        request.method = verb
        request.url = url if url.startswith(("http://", "https://")) else self.base_url + url
        request.headers = fields
        request.hooks = requests.hooks.default_hooks()
        request.body = (body.encode() if isinstance(body, str) else body) or None
        if request.body is not None:
            fields["Content-Length"] = str(len(request.body))
        response = self.send(request)
        for _ in range(MAX_RESENDS):
            if (seconds := asked_wait(response)) is None:
                break
            time.sleep(seconds)
            response = self.send(request)
        return response

    def send(self, request):
        """Sends a request once and reads its answer."""
        # The adapter sends one request; the session would see to cookies and redirects.
        adapter = self.session.get_adapter(request.url)
        response = adapter.send(request, stream=True, timeout=TIME_LIMIT_SECONDS)
        try:
            answered = decoded(read_body(response.raw), response.headers.get("Content-Encoding", ""))
        except ProtocolError as error:
            raise requests.ConnectionError(error, request=request) from error
        # Blanks around a value are no part of it (RFC 9110, 5.5).
        response.headers.update({name: value.strip(" \t") for name, value in response.headers.items()})
        response.set_cookies = response.raw.headers.getlist("Set-Cookie")
        response.close()
        response.raw = io.BytesIO(answered)
        response.encoding = "utf-8"
        return response

    get = functools.partialmethod(request, "GET")
    put = functools.partialmethod(request, "PUT")
    post = functools.partialmethod(request, "POST")
    delete = functools.partialmethod(request, "DELETE")
    options = functools.partialmethod(request, "OPTIONS")
    head = functools.partialmethod(request, "HEAD")
    patch = functools.partialmethod(request, "PATCH")
    trace = functools.partialmethod(request, "TRACE")


def open_session():
    """A session that does not look at proxy settings of the environment."""
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", ExactAdapter())
    session.mount("https://", ExactAdapter())
    return session


def read_body(raw):
    """The body of an answer, up to a limit; one that breaks off is an error."""
    body = b""
    while len(body) < MAX_BODY_BYTES and (part := raw.read(MAX_BODY_BYTES - len(body), decode_content=False)):
        body += part
    return body


def asked_wait(response):
    """How many seconds the service asks to wait before the same request; None when the answer counts."""
    asked = response.headers.get("Retry-After", "") if response.status_code == 429 else ""
    try:
        seconds = int(asked) if asked.isdigit() else (parsedate_to_datetime(asked) - datetime.now(timezone.utc)).total_seconds()
    except (TypeError, ValueError):
        return None
    return max(seconds, 0) if seconds <= MAX_WAIT_SECONDS else None


def decoded(body, codings):
    """A body without its content codings; as it came when one of them is unknown or wrong."""
    plain = body
    try:
        for coding in reversed(codings.lower().replace(",", " ").split()):
            if coding in ("gzip", "x-gzip"):
                plain = gzip.decompress(plain)
            elif coding == "deflate":
                plain = zlib.decompress(plain)
            elif coding != "identity":
                return body
    except (OSError, EOFError, zlib.error):
        return body
    return plain


def secret(user):
    """The header fields of a user, from the environment."""
    value = os.environ.get(USERS[user])
    if value is None:
        raise LookupError(f"set {USERS[user]} to the header fields of {user!r}, such as 'Authorization: Bearer ...'")
    return value


def add_credentials(lines, fields, url):
    """Adds the fields in `lines` to a request; cookies are joined. Returns the URL to call."""
    for line in filter(None, lines.splitlines()):
        if line.startswith("?"):
            url += ("&" if "?" in url else "?") + line[1:]
            continue
        name, _, value = line.partition(":")
        if name.lower() == "cookie" and "Cookie" in fields:
            value = fields["Cookie"] + "; " + value.strip()
        fields[name.strip()] = value.strip()
    return url


def origin(url):
    """Scheme, host and port of a URL."""
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def media_type(response):
    """The media type of an answer without parameters."""
    return response.headers.get("Content-Type", "").partition(";")[0].strip().lower()


def segment(url, from_end):
    """A segment of the path of a URL, counted from the last one, which is 0."""
    segments = [part for part in urllib.parse.urlsplit(url).path.split("/") if part]
    return urllib.parse.unquote(segments[-1 - from_end])


def cookie(response, name):
    """The value of the cookie of that name that an answer sets."""
    values = [field[len(name) + 1 :] for field in response.set_cookies if field.startswith(f"{name}=")]
    return values[-1].split(";")[0].strip()


KINDS = ["abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "123456789"]


def fresh(like):
    """Another text of the same kind: the service takes each once. What stands behind an @ stays."""
    head, at_sign, tail = like.partition("@")
    drawn = [random.choice(next((kind for kind in KINDS if letter in kind), letter)) for letter in head]
    return "".join(drawn) + at_sign + tail


def last_segment(response):
    """The last segment of the `Location` field: usually the id of what was created."""
    return segment(response.headers["Location"], 0)


def at(body, pointer):
    """The value at a JSON pointer."""
    for token in pointer.split("/")[1:]:
        key = token.replace("~1", "/").replace("~0", "~")
        body = body[int(key)] if isinstance(body, list) else body[key]
    return body


def is_uuid(value):
    """Whether a value looks like that."""
    return isinstance(value, str) and re.search("^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$", value) is not None


def is_date_time(value):
    """Whether a value looks like that."""
    return isinstance(value, str) and re.search("^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?([Zz]|[+-][0-9]{2}:?[0-9]{2})?$", value) is not None


def is_date(value):
    """Whether a value looks like that."""
    return isinstance(value, str) and re.search("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", value) is not None


def is_digits(value):
    """Whether a value looks like that."""
    return isinstance(value, str) and re.search("^[0-9]+$", value) is not None


def is_hexadecimal(value):
    """Whether a value looks like that."""
    return isinstance(value, str) and re.search("^[0-9A-Fa-f]{8,}$", value) is not None


def text(value):
    """A JSON scalar as text."""
    return value if isinstance(value, str) else json_codec.dumps(value)


def url_part(value):
    """A value as it stands in a URL."""
    return urllib.parse.quote(text(value), safe="")


def json_part(value):
    """A value as it stands between the quotes of a JSON string."""
    return json_codec.dumps(text(value), ensure_ascii=False)[1:-1]


def xml_part(value):
    """A value as it stands in XML."""
    return xml_escape(text(value), {'"': "&quot;", "'": "&apos;"})
