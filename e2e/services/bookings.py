"""A service on the port given as argument whose document leaves out what a booking must have; its refusals name one lacking
input at a time, each in another way that services have."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

bookings = []
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}
NOTES = ["note", "wishes", "language"]
# Of these only few values are good.
CODES = ["voucher", "member", "campaign", "agency"]
GUEST = {"type": "object", "properties": {"firstName": TEXT, "lastName": TEXT, "title": TEXT}}
BOOKING = {
    "guest": GUEST,
    "hotel": TEXT,
    "room_type": TEXT,
    "arrival": {"type": "string", "format": "date"},
    "nights": NUMBER,
    "adults": NUMBER,
    "paymentMethod": TEXT,
    "rate": {"type": "number"},
    **{name: TEXT for name in NOTES + CODES},
}
REFUSALS = {
    "guest": {"error": "guest is required"},
    "firstName": {"errors": [{"field": "guest.firstName", "defaultMessage": "must not be null"}]},
    "lastName": {"errors": {"guest.lastName": ["can't be blank"]}},
    "hotel": {"detail": [{"loc": ["body", "hotel"], "msg": "field required", "type": "value_error.missing"}]},
    "room_type": {"room_type": ["This field is required."]},
    "arrival": {"message": "Validation failed", "errors": {"arrival": "is missing"}},
    "nights": {"title": "Bad Request", "invalid-params": [{"name": "nights", "reason": "must be set"}]},
    "adults": {"details": [{"location": "body", "name": "adults", "description": "Required"}]},
    "paymentMethod": {"message": "Payment method is missing"},
    "rate": {"code": 7, "message": "no `rate`"},
    "currency": "Missing query parameter: currency",
}


def operation(status, parameters=(), body=None):
    body = {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}} if body else {}
    return {"parameters": list(parameters), **body, "responses": {it: {"description": ""} for it in [status, "400", "404"]}}


DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "bookings", "version": "1"},
    "paths": {
        "/bookings": {
            "post": operation(
                "201", [{"name": "currency", "in": "query", "schema": TEXT}], {"type": "object", "properties": BOOKING}
            )
        },
        "/bookings/{id}": {"get": operation("200", [{"name": "id", "in": "path", "required": True, "schema": NUMBER}])},
    },
}


def lacking(url, body):
    """The first input that a booking lacks."""
    if not isinstance(body, dict):
        return "guest"
    guest = body.get("guest")
    sent = {**body, **(guest if isinstance(guest, dict) else {}), **parse_qs(url.query, keep_blank_values=True)}
    return next((name for name in REFUSALS if sent.get(name) is None), None)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            name = lacking(urlsplit(self.path), json.loads(sent))
        except ValueError:
            return self.answer(400, {"error": "no JSON"})
        if name:
            return self.answer(400, REFUSALS[name])
        unknown = next((code for code in CODES if code in json.loads(sent)), None)
        if unknown:
            return self.answer(400, {"error": f"no such {unknown}"})
        bookings.append(sent)
        self.answer(201, {"id": len(bookings)})

    def do_GET(self):
        if self.path == "/openapi.json":
            return self.answer(200, DOCUMENT)
        number = self.path.removeprefix("/bookings/")
        is_known = number.isascii() and number.isdigit() and 0 < int(number[:9]) <= len(bookings)
        self.answer(200 if is_known else 404, {})

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
