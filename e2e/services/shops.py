"""A service on the port given as argument that keeps users by the mail that they choose and shops by a number that it
gives them, which a user owns, and fails over the report of an owned shop and over large negative orders. Nothing
resets it but its end."""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

users, shops = {}, {}
TEXT, NUMBER = {"type": "string", "minLength": 4}, {"type": "integer"}


def operation(statuses, names=(), field=None, schema=TEXT):
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": NUMBER if name == "shopId" else TEXT} for name in names
    ]
    body = {"type": "object", "required": [field], "properties": {field: schema}}
    body = {"requestBody": {"required": True, "content": {"application/json": {"schema": body}}}} if field else {}
    return {"parameters": parameters, **body, "responses": {status: {"description": ""} for status in statuses}}


DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "shops", "version": "1"},
    "paths": {
        "/users": {"post": operation(["201", "400"], field="mail")},
        "/users/{mail}": {"get": operation(["200", "404"], ["mail"]), "delete": operation(["204", "404"], ["mail"])},
        "/users/{mail}/orders": {"post": operation(["201", "400", "404"], ["mail"], "amount", NUMBER)},
        "/shops": {"post": operation(["201", "400"], field="title")},
        "/shops/{shopId}/owner/{mail}": {"put": operation(["200", "404"], ["shopId", "mail"])},
        "/shops/{shopId}/report": {"get": operation(["200", "404"], ["shopId"])},
    },
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status, value=None):
        body = b"" if value is None else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def field(self, name, kind):
        try:
            value = json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
        except ValueError:
            return None
        value = value.get(name) if isinstance(value, dict) else None
        return value if type(value) is kind and (kind is int or len(value) >= 4) else None

    def do_POST(self):
        order = re.fullmatch("/users/([^/?]+)/orders", self.path)
        if self.path == "/users":
            mail = self.field("mail", str)
            if mail is None or not mail.isalnum():
                return self.answer(400)
            if mail in users:
                return self.answer(409)
            users[mail] = []
            return self.answer(201, {})
        if self.path == "/shops":
            if self.field("title", str) is None:
                return self.answer(400)
            shops[len(shops) + 1] = None
            return self.answer(201, {"id": len(shops)})
        amount = self.field("amount", int)
        if order and amount is None:
            return self.answer(400)
        if order and order[1] in users:
            users[order[1]].append(amount)
            return self.answer(500 if amount < -1000 else 201, {})
        self.answer(404)

    def do_PUT(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        owner = re.fullmatch("/shops/(\\d+)/owner/([^/?]+)", self.path)
        if not owner or int(owner[1]) not in shops or owner[2] not in users:
            return self.answer(404)
        shops[int(owner[1])] = owner[2]
        self.answer(200, {})

    def do_DELETE(self):
        mail = self.path.removeprefix("/users/")
        self.answer(404 if users.pop(mail, None) is None else 204)

    def do_GET(self):
        report = re.fullmatch("/shops/(\\d+)/report", self.path)
        if self.path == "/openapi.json":
            return self.answer(200, DOCUMENT)
        if report and int(report[1]) in shops:
            return self.answer(500 if shops[int(report[1])] else 200, {})
        self.answer(200 if self.path.removeprefix("/users/") in users else 404, {})

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
