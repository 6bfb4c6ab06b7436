"""A service on the port given as argument: GET /die ends it, GET /expire a moment after its answer, GET /hang stops
it; all else answers an empty object. Says "up" a second before it listens
when that is the second argument."""

import os
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path.startswith("/die"):
            os._exit(13)
        if self.path.startswith("/expire"):
            threading.Timer(0.1, os._exit, [14]).start()
        if self.path.startswith("/hang"):
            os.kill(os.getpid(), signal.SIGSTOP)
            # The stop may come a moment later: this call must not be answered first.
            time.sleep(3600)
        body = b"{}"
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


if sys.argv[2:] == ["up"]:
    print("up", flush=True)
    time.sleep(1)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
