"""The second verifier, in another language, agrees with the first: on good journals and on damaged ones."""

from __future__ import annotations

import gzip
import json
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from arena.journal import NO_HASH, sealed
from arena.verify import verify
from referee.rules import PRESETS
from tests.arena.journal_factory import rated_id, write_journal

VERIFIER = Path(__file__).resolve().parents[2] / "docs" / "verifier" / "verifier.mjs"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node to run the second verifier")


def _run(path: Path) -> tuple[bool, str]:
    assert NODE is not None
    done = subprocess.run([NODE, str(VERIFIER), str(path)], capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    assert done.returncode in (0, 1)
    assert done.stdout.startswith("everything fits" if done.returncode == 0 else "does not fit")
    return done.returncode == 0, done.stdout


def test_it_has_at_most_200_lines() -> None:
    assert len(VERIFIER.read_text("utf-8").splitlines()) <= 200


@pytest.mark.parametrize("unit", ["boards", "games"])
def test_both_say_good_of_a_night_of_every_preset(tmp_path: Path, unit: str) -> None:
    presets = list(PRESETS) if unit == "boards" else ["standard", "classic", "two-handed", "british-6p-50", "pepper-2p"]
    path = write_journal(
        tmp_path / "j",
        [rated_id(preset) for preset in presets],
        6 if unit == "boards" else 2,
        unit=unit,
        faults=0.05,
        close=True,
    )
    first = verify(path, workers=1)
    assert first.problem is None
    is_good, said = _run(path)
    assert is_good, said
    assert f"{first.lines} lines, {first.legs} legs" in said
    assert first.last_hash in said


@pytest.mark.parametrize(
    "variant",
    [
        "standard(deck=33,joker_card=two-of-spades)",
        "standard(order_up_makers=dealer-side)",
        "classic(alone_defenders=any,dealer_pickup=optional)",
        "british-6p-50(two_jokers=coloured-high)",
        "bid-later-24(renege_contract=void)",
        "bid-us-40(renege_contract=settle)",
        "railroad(renege=immediate)",
        "standard(deck=32,redeal_farmers_hand=on)",
    ],
)
def test_both_say_good_of_options(tmp_path: Path, variant: str) -> None:
    path = write_journal(tmp_path / "j", [variant], 40, faults=0.05, close=True)
    assert verify(path, workers=1).problem is None
    is_good, said = _run(path)
    assert is_good, said


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("second") / "j"
    return gzip.decompress(write_journal(path, ["standard", "bid-us-32"], 3, faults=0.0, close=True).read_bytes())


def test_both_name_the_same_line_of_a_damaged_journal(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "changed"
    rng = random.Random(11)
    for place in rng.sample(range(len(text) - 1), 25):
        changed = bytearray(text)
        changed[place] ^= rng.randint(1, 127)
        path.write_bytes(changed)
        first = verify(path, workers=1)
        is_good, said = _run(path)
        assert first.problem is not None
        assert not is_good
        found = re.search(r"line (\d+)", said)
        assert found is not None, said
        assert int(found[1]) == first.problem.line, (place, said, first.problem)


def _forged(text: bytes, change: Any) -> bytes:
    objects = [json.loads(line) for line in text.splitlines()]
    for data in objects:
        data.pop("sha")
    change(objects)
    previous, lines = NO_HASH, []
    for data in objects:
        line, previous = sealed(previous, data)
        lines.append(line + b"\n")
    return b"".join(lines)


def _played(objects: list[dict[str, Any]], variant: str) -> dict[str, Any]:
    seatings = [data for data in objects if data["kind"] == "seating"]
    return next(
        data
        for data in objects
        if data["kind"] == "leg"
        and seatings[data["seating"]]["variant"] == variant
        and data["hands"][0]["end"] == "played"
        and any(data["points"])
    )


def _deck(variant: str) -> Any:
    def change(objects: list[dict[str, Any]]) -> None:
        hand = _played(objects, variant)["hands"][0]
        hand["deck"] = hand["deck"][-2:] + hand["deck"][:-2]

    return change


def _points(variant: str) -> Any:
    def change(objects: list[dict[str, Any]]) -> None:
        leg = _played(objects, variant)
        leg["hands"][0]["points"].reverse()
        leg["points"].reverse()

    return change


def _tricks(variant: str) -> Any:
    def change(objects: list[dict[str, Any]]) -> None:
        tricks = _played(objects, variant)["hands"][0]["tricks"]
        tricks.insert(0, tricks.pop())
        if tricks == sorted(tricks) == tricks[::-1]:
            tricks[0] += 1

    return change


def _leader(variant: str) -> Any:
    def change(objects: list[dict[str, Any]]) -> None:
        hand = _played(objects, variant)["hands"][0]
        words = hand["play"].split(" ")
        plays = [at for at, word in enumerate(words) if re.match(r"\d:([2-9TJQKA][SCHD])[/!]", word)]
        at = plays[len({words[place][0] for place in plays})]
        words[at] = str((int(words[at][0]) + 1) % 4) + words[at][1:]
        hand["play"] = " ".join(words)

    return change


def _seed(objects: list[dict[str, Any]]) -> None:
    objects[-1]["seed"] = "11" * 32


def _removed_leg(objects: list[dict[str, Any]]) -> None:
    objects.remove(_played(objects, "standard"))


FORGERIES = {
    f"{name} {variant}": make(variant)
    for variant in ("standard", "bid-us-32")
    for name, make in (("deck", _deck), ("points", _points), ("tricks", _tricks), ("leader", _leader))
} | {"seed": _seed, "removed leg": _removed_leg}


@pytest.mark.parametrize("name", FORGERIES)
def test_both_refuse_a_forgery_with_new_hashes(tmp_path: Path, text: bytes, name: str) -> None:
    variants = {data for data in ("standard", "bid-us-32")}
    assert all(variant.encode() in text for variant in variants)
    path = tmp_path / "forged"
    path.write_bytes(_forged(text, FORGERIES[name]))
    assert verify(path, workers=1).problem is not None
    is_good, said = _run(path)
    assert not is_good, said


def test_both_say_that_an_open_night_has_its_decks_unchecked(tmp_path: Path) -> None:
    path = write_journal(tmp_path / "j", ["standard"], 2)
    is_good, said = _run(path)
    assert is_good
    assert "NOT checked" in said


def test_the_example_of_the_documentation_is_right() -> None:
    """docs/verifying.md, "Decks"."""
    from referee.rules import parse_variant
    from referee.service.record import format_deck
    from referee.service.shuffle import commitment, deck_for
    from tests.arena.journal_factory import SEED

    page = VERIFIER.parents[1].joinpath("verifying.md").read_text("utf-8")
    assert commitment(SEED) in page
    assert format_deck(deck_for(SEED, parse_variant("standard"), "factory/p0", 0)) in page
