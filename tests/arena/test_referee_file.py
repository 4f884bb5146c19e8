"""The file of a standing referee: what it may hold, and the one line for what it may not."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.errors import OperatorError
from arena.referee_file import load_referee
from referee.service.doors import is_local


def write(directory: Path, text: str) -> Path:
    file = directory / "club.toml"
    file.write_text(text)
    return file


def test_an_empty_file_is_enough(tmp_path: Path) -> None:
    found = load_referee(write(tmp_path, ""))
    assert (found.listen, found.metrics, found.allowed) == ("127.0.0.1:7777", "", None)
    assert (found.tokens, found.control) == (tmp_path / "tokens.json", tmp_path / "club.sock")
    assert found.tls() is None
    assert found.check_entrant(" bob ") == "bob"


def test_the_example_is_a_good_file() -> None:
    found = load_referee(Path(__file__).parents[2] / "examples" / "referee.toml")
    assert (found.listen, found.metrics, found.tls()) == ("0.0.0.0:7777", "127.0.0.1:9464", None)


def test_everything_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "pem").write_text("certificate")
    (tmp_path / "key").write_text("key")
    text = """
        listen = "0.0.0.0:7778"
        metrics = "127.0.0.1:9464"
        tokens = "kept/tokens.json"
        entrants = ["ann", "bob"]
        control = "c.sock"
        drain_seconds = 5
        wait_seconds = 0
        [tls]
        certificate = "pem"
        key = "key"
        [policy]
        max_streams = 7
    """
    found = load_referee(write(tmp_path, text))
    assert found.allowed == frozenset({"ann", "bob"})
    assert (found.control, found.tokens) == (tmp_path / "c.sock", tmp_path / "kept" / "tokens.json")
    assert (found.drain_seconds, found.wait_seconds, found.policy.max_streams) == (5.0, 0.0, 7)
    tls = found.tls()
    assert tls is not None
    assert (tls.certificate, tls.key, tls.client_roots) == (b"certificate", b"key", None)
    with pytest.raises(OperatorError, match="did you mean 'bob'"):
        found.check_entrant("bbo")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('listn = "x:1"', "no key 'listn'; did you mean 'listen'?"),
        ('listen = "x"', "'x' is no address"),
        ("listen = 3", "listen is a text"),
        ('listen = ""', "listen is a text"),
        ('entrants = "ann"', "entrants is a list of names"),
        ('entrants = ["house"]', "cannot be called 'house'"),
        ("drain_seconds = -1", "drain_seconds is a number of seconds"),
        ("wait_seconds = true", "wait_seconds is a number of seconds"),
        ("policy = 3", "policy is a table"),
        ("[policy]\nmax_stream = 3", "no key 'policy.max_stream'; did you mean 'max_streams'?"),
        ("[policy]\nmax_streams = 0", "max_streams = 0"),
        ("[policy]\ndecision_seconds = 3", "belongs to the game; set it in the night's"),
        ('[tls]\ncertificate = "x"', "tls.key is missing"),
        ('[tls]\ncert = "x"', "no key 'tls.cert'"),
        (f'control = "{"x" * 120}"', "at most 107 bytes"),
        ("listen", "not TOML"),
    ],
)
def test_a_mistake_is_one_line_that_names_the_file_and_what_would_work(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(OperatorError) as wrong:
        load_referee(write(tmp_path, text))
    assert said in str(wrong.value)
    assert str(wrong.value).startswith(str(tmp_path / "club.toml"))


@pytest.mark.parametrize("address", ["127.0.0.1:1", "localhost:1", "[::1]:1", "unix:/run/x"])
def test_an_address_of_this_machine_is_local(address: str) -> None:
    assert is_local(address)


@pytest.mark.parametrize("address", ["0.0.0.0:1", "arena.example.org:1", "[::]:1", "10.0.0.1:1"])
def test_an_address_that_others_can_reach_is_not_local(address: str) -> None:
    assert not is_local(address)


def test_a_certificate_that_is_not_there_is_named(tmp_path: Path) -> None:
    found = load_referee(write(tmp_path, '[tls]\ncertificate = "none.pem"\nkey = "none.key"'))
    with pytest.raises(OperatorError, match=r"club\.toml: tls: cannot read a certificate: .*none\.pem"):
        found.tls()
