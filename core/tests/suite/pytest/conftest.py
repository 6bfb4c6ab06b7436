"""Fixtures of the suite; README.md lists the environment variables."""

import os
import urllib.parse

import pytest

from service import Service, open_session

KEEPER_LIMIT_SECONDS = 300


@pytest.fixture(scope="session")
def base_url(session):
    """Where the service listens."""
    url = os.environ.get("RESTIVE_BASE_URL")
    if url is None:
        url = "http://127.0.0.1:8080/api"
        if os.environ.get("RESTIVE_SUT_URL"):
            url = served_url(session, url)
    return url.rstrip("/")


@pytest.fixture(scope="session")
def session():
    """Connections, kept open between tests."""
    with open_session() as session:
        yield session


@pytest.fixture
def service(base_url, session):
    """The service under test, in its first state when it has a call or a keeper for that."""
    service = Service(base_url, session)
    if os.environ.get("RESTIVE_SUT_URL"):
        ask_keeper(session, "POST", "/reset")
        return service
    url = os.environ.get("RESTIVE_RESET_URL", "/reset")
    if url:
        answer = service.request(os.environ.get("RESTIVE_RESET_VERB", "POST"), url)
        assert answer.status_code < 400, f"{url} answered {answer.status_code}"
    return service


def ask_keeper(session, verb, path):
    """Asks the `restive sut serve` that RESTIVE_SUT_URL names; the answer comes when the work is done."""
    url = os.environ["RESTIVE_SUT_URL"].rstrip("/") + path
    fields = {"Authorization": "Bearer " + os.environ.get("RESTIVE_SUT_TOKEN", "")}
    answer = session.request(verb, url, headers=fields, timeout=KEEPER_LIMIT_SECONDS)
    assert answer.status_code == 200, f"{verb} {url} answered {answer.status_code}: {answer.text}"
    return answer.json()


def served_url(session, written):
    """Where a kept service listens; the path below which the tests call stays, unless the keeper names one."""
    served = ask_keeper(session, "GET", "/status")["base_url"].rstrip("/")
    has_path = urllib.parse.urlsplit(served).path
    return served if has_path else served + urllib.parse.urlsplit(written).path
