"""tests/vectors/variants/ holds what DescribeVariant answers, for the kits in other languages."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.json_format import Parse

from euchre.v1 import variants_pb2
from referee.rules import PRESETS, parse_variant
from referee.service.wire import variant_to_message

ROOT = Path(__file__).resolve().parents[2]


def _writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location("write_variant_json", ROOT / "tools" / "write_variant_json.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_descriptions_are_current() -> None:
    assert _writer().differences() == [], "run tools/write_variant_json.py"


def test_every_preset_is_described_and_some_variants_with_options() -> None:
    described = _writer().described()
    assert described[: len(PRESETS)] == [*PRESETS]
    assert "british(joker_card=two-of-spades)" in described


@pytest.mark.parametrize("variant", _writer().described())
def test_a_description_reads_back_as_the_message_the_service_sends(variant: str) -> None:
    text = (ROOT / "tests" / "vectors" / "variants" / f"{variant}.json").read_text(encoding="utf-8")
    assert Parse(text, variants_pb2.Variant()) == variant_to_message(parse_variant(variant))


def test_a_stale_a_missing_and_a_superfluous_file_are_found(tmp_path: Path) -> None:
    writer = _writer()
    for name, text in writer.texts().items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert writer.differences(tmp_path) == []
    (tmp_path / "standard.json").write_text("{}", encoding="utf-8")
    (tmp_path / "british.json").unlink()
    (tmp_path / "whist.json").write_text("{}", encoding="utf-8")
    assert writer.differences(tmp_path) == ["british.json", "standard.json", "whist.json"]
