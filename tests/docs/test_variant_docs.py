"""docs/variants/ says what the catalogue says, and the pages hold what a player needs."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf.json_format import ParseDict

from arena.describe import describe_json, describe_markdown, describe_text, list_json, list_text
from arena.rulebook import Page, Paragraph, page
from euchre.v1 import variants_pb2
from referee.rules import PRESETS, OptionSpec, Variant, VariantError, build, parse_variant
from referee.rules.presets import OPTION_RULES
from referee.service.wire import variant_to_message

ROOT = Path(__file__).resolve().parents[2]
RULEBOOK = ROOT.parent / "shared" / "rules" / "RULES.md"
needs_rulebook = pytest.mark.skipif(not RULEBOOK.exists(), reason="the rulebook (../shared/rules) is not there")


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_variant_docs", ROOT / "tools" / "generate_variant_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _every_single_option() -> list[Variant]:
    """Return every preset, and every preset with one option at each other value."""
    variants = []
    for name, preset in PRESETS.items():
        variants.append(parse_variant(name))
        for option, spec in preset.options.items():
            values = spec.allowed or (spec.minimum, spec.minimum + 1)
            for value in values:
                try:
                    variants.append(build(name, {option: value}))
                except VariantError:
                    continue  # refused together with a default (RULES.md 5.1)
    return variants


def _other_numbers(spec: OptionSpec) -> tuple[int, ...]:
    """Return a number beside the default that the option may be."""
    default = int(spec.default)
    return (default + 1 if spec.maximum is None or default < spec.maximum else default - 1,)


def _rule_ids(rules: Page) -> set[str]:
    return {rule for section in rules.sections for block in section.blocks for rule in block.rules}


def test_pages_are_current() -> None:
    generator = _generator()
    stale = generator.differences()
    assert not stale, f"docs/variants is not current ({', '.join(stale)}); run: {generator.COMMAND}"


@pytest.mark.parametrize("name", PRESETS)
def test_every_page_has_the_sections_a_player_needs(name: str) -> None:
    titles = {section.title for section in page(parse_variant(name)).sections}
    assert titles >= {"The table", "The cards", "The deal", "The play", "The score of a hand", "The end of the game"}
    assert titles >= {"The hand at a glance", "Reneging", "The options"}
    assert titles & {"The auction", "Making trump"}


def test_every_option_changes_what_the_page_says() -> None:
    """Two variants that differ in a rule must not read the same, apart from the table of options."""

    def told(variant: Variant) -> list[object]:
        return [section for section in page(variant).sections if section.title != "The options"]

    silent = set()
    for name, preset in PRESETS.items():
        before = told(parse_variant(name))
        for option, spec in preset.options.items():
            others = [value for value in (spec.allowed or _other_numbers(spec)) if value != spec.default]
            for value in others:
                try:
                    variant = build(name, {option: value})
                except VariantError:
                    continue
                if told(variant) == before:
                    silent.add((name, option, value))
    assert not {entry for entry in silent if not _is_idle(*entry)}


def _is_idle(name: str, option: str, value: object) -> bool:
    """Tell whether the option changes no rule of this preset by itself."""
    variant = parse_variant(name)
    if option == "joker_card":
        return not variant.tables.jokers
    if option == "loner_lead":
        return variant.alone_makers == "none" and not any(rung.alone for rung in variant.ladder)
    # ALONE-TIME-2: said in the call, by the caller, whatever the makers' side might be allowed.
    return option == "alone_makers" and value == "any" and variant.alone_with_call


def test_every_rule_id_cited_exists_in_the_rulebook() -> None:
    if not RULEBOOK.exists():
        pytest.skip("the rulebook (../shared/rules) is not there")
    known = set(
        re.findall(r"^\| ([A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+) \|", RULEBOOK.read_text(encoding="utf-8"), re.MULTILINE)
    )
    cited = set().union(*(_rule_ids(page(variant)) for variant in _every_single_option()))
    cited |= {rule for rules in OPTION_RULES.values() for rule in rules.split(", ")}
    assert cited <= known
    assert len(cited) > 100


def test_pages_name_every_option_with_its_rules_and_values() -> None:
    text = describe_text("british(stick_dealer=on)")
    line = next(line for line in text.splitlines() if line.strip().startswith("stick_dealer"))
    assert "on (default off)" in line
    assert "UPA-R2-2" in line


def test_text_fits_a_terminal_and_leaves_no_markup() -> None:
    for name in PRESETS:
        text = describe_text(name)
        assert "`" not in text
        assert not re.search(r"\*[a-z]", text)
        assert max(map(len, text.splitlines())) <= 130


def test_json_is_the_wire_message_and_the_words() -> None:
    """SRV-ORDER-1: bids are listed as a bot is offered them."""
    told = json.loads(describe_json("bid-us-32"))
    assert told["variant"]["id"] == "bid-us-32"
    assert told["variant"]["hand_size"] == 8
    assert told["bids"][:5] == ["BID(3, S)", "BID(3, C)", "BID(3, H)", "BID(3, D)", "BID(4, S)"]
    assert told["bids"][-1] == "8-ALONE(NT)"
    titles = [section["title"] for section in told["rules"]]
    assert "The auction" in titles
    assert all("rule_ids" in block for section in told["rules"] for block in section["blocks"])


def test_json_reads_back_as_the_message() -> None:
    variant = parse_variant("napoleon(deck=52,nap_misere=off)")
    told = json.loads(describe_json(variant))
    assert ParseDict(told["variant"], variants_pb2.Variant()) == variant_to_message(variant)


def test_lists_hold_every_preset_once() -> None:
    lines = list_text().splitlines()
    for name in PRESETS:
        assert sum(line.split()[:1] == [name] for line in lines) == 1
    assert [entry["variant"]["id"] for entry in json.loads(list_json())] == list(PRESETS)


def test_an_unknown_variant_is_refused_with_the_nearest() -> None:
    with pytest.raises(VariantError, match="standard"):
        describe_text("standart")


def test_markdown_tables_have_as_many_cells_as_their_header() -> None:
    for name in PRESETS:
        width = 0
        for line in describe_markdown(name).splitlines():
            if not line.startswith("|"):
                width = 0
                continue
            cells = len(re.split(r"(?<!\\)\|", line))
            assert width in (0, cells), line
            width = cells


def test_almonte_tens_are_only_in_two_suits() -> None:
    """ALM4-DECK-1, ALM4-ORD-1."""
    text = describe_text("almonte-4p")
    assert "the ten of spades, the ten of hearts and three jokers" in text
    assert "J A K Q (T)" in text


def _paragraphs(variant: str) -> str:
    blocks = [block for section in page(parse_variant(variant)).sections for block in section.blocks]
    return " ".join(block.text for block in blocks if isinstance(block, Paragraph))


@pytest.mark.parametrize(
    ("variant", "said"),
    [
        ("british", "may only pass or *take it down*"),  # UPA-R1-2
        ("classic(auction_rounds=1)", "in one round"),  # CLA-TRUMP-1
        ("standard", "the dealer must name a suit"),  # UPA-R2-2
        ("standard(stick_dealer=off)", "is thrown in"),
        ("buck", "clubs are trumps without an auction"),  # BUCK-TRUMP-1
        ("bid-us-40", "ALONE over another's ALONE"),  # BU40-AUC-2
        ("bid-us-48-widow(widow_when_alone=forbidden)", "With ALONE he does without"),  # BU48W-WID-2
        ("bid-later-24", "an equal one replaces it"),  # LATER-AUC-2
        ("hasenpfeffer", "the holder of the joker shows it"),  # HAS-AUC-2
        ("napoleon", "the suit of his first card is trump"),  # NAP-TRUMP-1
        ("dirty-clubs-3p", "with 5 points or fewer may not drop"),  # DC3-DROP-1
        ("railroad", "begins the next game with his points beyond the target"),  # RR-MATCH-1
        ("british(joker_card=two-of-spades)", "the 2S in place of the joker"),  # CARD-STAND-1
        ("standard(redeal_farmers_hand=on)", "every card of it is a ten or lower"),  # RED-1
        ("pepper(renege_contract=settle)", "The contract is settled as well"),  # REN-PEN-6
    ],
)
def test_the_page_says_what_the_option_does(variant: str, said: str) -> None:
    assert said in _paragraphs(variant)
