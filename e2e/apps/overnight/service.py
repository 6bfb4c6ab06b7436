"""A service for long runs: `leak` needs more memory from second to second, `tired` ends by itself after some hundred calls."""

import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODE, PORT = sys.argv[1], int(sys.argv[2])
CALLS_OF_A_LIFE = 700
BYTES_A_SECOND = 40_000_000
BEGAN = time.monotonic()
LEAKED = []
CALLS = 0
ITEMS = {}

DOCUMENT = {
    "openapi": "3.0.3",
    "info": {"title": "Overnight", "version": "1"},
    "paths": {
        "/items": {
            "get": {"responses": {"200": {"description": "all"}}},
            "post": {
                "requestBody": {
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "required": ["name"],
                                "properties": {"name": {"type": "string"}, "size": {"type": "integer"}},
                            }
                        }
                    }
                },
                "responses": {"201": {"description": "made"}, "400": {"description": "wrong"}},
            },
        },
        "/items/{id}": {
            "get": {
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}],
                "responses": {"200": {"description": "one"}, "404": {"description": "none"}},
            }
        },
    },
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer in one packet, or each takes 40 ms.
    wbufsize = -1

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        grow_old()
        if self.path == "/openapi.json":
            return self.answer(200, DOCUMENT)
        if self.path == "/items":
            return self.answer(200, list(ITEMS.values()))
        number = self.path.removeprefix("/items/")
        item = ITEMS.get(number)
        return self.answer(200, item) if item else self.answer(404, {"error": "no such item"})

    def do_POST(self):
        grow_old()
        try:
            text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            item = json.loads(text)
            name, size = item["name"], item.get("size", 1)
        except Exception:
            return self.answer(400, {"error": "wrong"})
        if size == 0:
            return self.answer(500, {"error": "division by zero"})
        number = str(len(ITEMS) % 50)
        ITEMS[number] = {"id": int(number), "name": str(name)[:20]}
        return self.answer(201, ITEMS[number])

    def log_message(self, text, *values):
        print(text % values, flush=True)


def grow_old():
    global CALLS
    CALLS += 1
    if MODE == "tired" and CALLS > CALLS_OF_A_LIFE:
        os._exit(3)
    wanted = int((time.monotonic() - BEGAN) * BYTES_A_SECOND) if MODE == "leak" else 0
    while len(LEAKED) * 1_000_000 < wanted:
        LEAKED.append(bytearray(os.urandom(1_000) * 1_000))


ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
