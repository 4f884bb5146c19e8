"""Every rule of docs/rules.md parts 3 and 4 is cited by a test or a vector, and every citation is of a rule."""

from __future__ import annotations

import functools
import re
from pathlib import Path

TESTS = Path(__file__).parents[1]
RULES = TESTS.parent / "docs" / "rules.md"

ID = r"[A-Z][A-Z0-9]*(?:-[A-Z][A-Z0-9]*)*-\d+"
_CITATION = re.compile(rf"(?<![A-Za-z0-9-])({ID}|S5-\d)((?:(?:, | to | and |,)-\d+)*)(?![A-Za-z0-9])")
_FOLLOWING = re.compile(r"(, | to | and |,)-(\d+)")


@functools.cache
def rule_ids() -> list[str]:
    """Return the ids of all rules of parts 3 and 4, in the order of the page."""
    page = RULES.read_text(encoding="utf-8")
    parts = page.split("\n## 3. Shared rules", 1)[1].split("\n## 5. Options", 1)[0]
    return re.findall(rf"^\| ({ID}|S5-\d) \|", parts, re.MULTILINE)


def citations(text: str) -> set[str]:
    """Return the ids cited in *text*, also those written short: ``PEP-SCORE-1 to -3``, ``UPA-MAKE-1, -2``."""
    found = set()
    for match in _CITATION.finditer(text):
        stem, number = match[1].rsplit("-", 1)
        found.add(match[1])
        last = int(number)
        for word, following in _FOLLOWING.findall(match[2]):
            first = last + 1 if word == " to " else int(following)
            found |= {f"{stem}-{each}" for each in range(first, int(following) + 1)}
            last = int(following)
    return found


@functools.cache
def cited() -> dict[str, list[str]]:
    """Return the files that cite each id."""
    files = [*TESTS.rglob("test_*.py"), *(TESTS / "vectors").glob("*.json")]
    where: dict[str, list[str]] = {}
    for path in sorted(files):
        if path == Path(__file__):
            continue
        for rule in citations(path.read_text(encoding="utf-8")):
            where.setdefault(rule, []).append(str(path.relative_to(TESTS)))
    return where


def test_the_page_states_each_rule_once() -> None:
    assert len(rule_ids()) == len(set(rule_ids()))
    assert len(rule_ids()) > 390


def test_every_rule_is_cited_by_a_test_or_a_vector() -> None:
    missing = [rule for rule in rule_ids() if rule not in cited()]
    assert not missing, f"{len(missing)} of {len(rule_ids())} rules are cited by no test: {', '.join(missing)}"


def test_every_rule_but_a_few_is_cited_by_the_tests_of_the_rules_themselves() -> None:
    """The service and the arena may cite rules too, but a rule is first of all tested where it is kept."""
    ours = {rule for rule, files in cited().items() if any(name.startswith(("rules/", "vectors/")) for name in files)}
    assert [rule for rule in rule_ids() if rule not in ours] == []


def test_every_citation_is_of_a_rule_on_the_page() -> None:
    """A rule that was renamed, withdrawn or misspelt would be a test of nothing."""
    known = set(rule_ids())
    families = {rule.split("-")[0] for rule in known}
    wrong = {rule: files for rule, files in cited().items() if rule not in known and rule.split("-")[0] in families}
    assert wrong == {}


def test_short_citations_are_read_in_full() -> None:
    """The reader of citations, which the tests above rest on."""
    assert citations("PEP-SCORE-1 to -3, XCH-ASK-1") == {"PEP-SCORE-1", "PEP-SCORE-2", "PEP-SCORE-3", "XCH-ASK-1"}
    assert citations("(UPA-MAKE-1, -2)") == {"UPA-MAKE-1", "UPA-MAKE-2"}
    assert citations("BC32-XCH-1; S5-1") == {"BC32-XCH-1", "S5-1"}
    assert citations("british-6p-33 V-1234x UPA-MAKE-1b") == set()
