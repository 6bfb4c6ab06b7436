"""Runs written test modules against a service that only notes what it is handed.

Usage: run.py FOLDER MODULE...; prints, test by test, the texts in hexadecimal.
"""

import importlib
import json
import sys
import types

texts = []


def note(value):
    texts.append((value if isinstance(value, bytes) else value.encode()).hex())


class Value:
    """Any place of a body: notes what it is compared with."""

    def __getitem__(self, key):
        note(key)
        return self

    def __eq__(self, other):
        if isinstance(other, str):
            note(other)
        return True

    def __str__(self):
        return "captured"


class Response:
    status_code = Value()
    text = Value()

    def json(self):
        return Value()


class Service:
    """Notes requests instead of sending them."""

    def post(self, url, headers=(), json=None, body=None, user=None):
        if user is not None:
            note(user)
        for name, value in dict(headers).items():
            if name != "Content-Type":
                note(name)
                note(value)
        if json is not None:
            note(dumps(json))
        if body is not None:
            note(body)
        note(url)
        return Response()


def dumps(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
sys.modules["service"] = types.SimpleNamespace(media_type=lambda response: Value(), text=str)
sys.modules.setdefault("pytest", types.SimpleNamespace())
for module_name in sys.argv[2:]:
    module = importlib.import_module(module_name)
    for name, function in vars(module).items():
        if name.startswith("test_"):
            texts.clear()
            function(Service())
            print(name.removeprefix("test_"), *texts)
