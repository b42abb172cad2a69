"""The servers and databases that tests and benchmarks start."""

from __future__ import annotations

import socket
from pathlib import Path

import psycopg
import pytest
from bench import _server_process
from bench._server_process import Server, empty_database


@pytest.mark.service
def test_no_other_program_is_given_the_port_of_a_server_that_is_stopped(tmp_path: Path) -> None:
    """A test that restarts its server failed when another test had been given the port meanwhile."""
    server = Server(tmp_path)
    address = server.url
    server.stop()
    with socket.socket() as other, pytest.raises(OSError, match="Address already in use"):
        other.bind(("127.0.0.1", server.port))
    server.start()
    assert server.url == address
    server.stop()


@pytest.fixture
def no_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_server_process, "POSTGRES", "postgresql://127.0.0.1:1")  # a reserved port


def test_without_postgres_its_tests_are_skipped(
    no_postgres: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TRIPOT_TEST_POSTGRES", raising=False)
    with empty_database("postgres", tmp_path) as url:
        assert url is None


def test_a_postgres_that_is_named_must_be_there(
    no_postgres: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In CI the tests of PostgreSQL would have been skipped if its server had not started."""
    monkeypatch.setenv("TRIPOT_TEST_POSTGRES", "postgresql://127.0.0.1:1")
    with pytest.raises(psycopg.OperationalError), empty_database("postgres", tmp_path):
        pass
