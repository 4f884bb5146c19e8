"""What the conformance suite found, for people, for programs (JSON) and for CI servers (JUnit XML)."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from google.protobuf import json_format

from arena.check import CheckReport, Failure, PresetReport
from arena.errors import OperatorError
from arena.launch import printable
from euchre.v1 import play_pb2

_SHOWN_FAILURES: Final = 20
_WIDTH: Final = 20


def report_lines(report: CheckReport, directory: Path | None) -> Iterator[str]:
    """Yield the report for a terminal; *directory* is where the requests of failures have been written."""
    version = f" {printable(report.version)}" if report.version else ""
    yield f"{report.bot} (calls itself {printable(report.name) or '?'}{version})"
    for check, passed in report.checks:
        preset = next((found for found in report.presets if found.preset == check), None)
        yield f"  {'ok  ' if passed else 'FAIL'}  {check:<{_WIDTH}}{_preset_text(preset) if preset else ''}".rstrip()
    if report.seconds:
        yield "time of a decision asked alone, milliseconds: " + ", ".join(
            f"{name} {seconds * 1000:.1f}" for name, seconds in _latencies(report).items()
        )
        yield f"start to Hello: {report.start_seconds:.2f} s"
    for number, failure in enumerate(report.failures[:_SHOWN_FAILURES], 1):
        yield from _failure_text(number, failure, directory)
    if len(report.failures) > _SHOWN_FAILURES:
        yield f"... and {len(report.failures) - _SHOWN_FAILURES} more"
    if not report.passed and report.output:
        yield "its last lines:"
        yield from (f"  | {line}" for line in report.output)
    yield verdict(report)


def verdict(report: CheckReport) -> str:
    """Return the last line."""
    decisions = sum(preset.decisions for preset in report.presets)
    if report.passed:
        return f"passed: {len(report.presets)} presets, {decisions} decisions, no fault"
    return f"failed: {len(report.failures)} faults in {len(report.presets)} presets, {decisions} decisions"


def _preset_text(preset: PresetReport) -> str:
    faults = f", {preset.failures} faults" if preset.failures else ""
    return f"{preset.decisions:>5} decisions of {len(preset.asked)} kinds in {preset.hands} hands{faults}"


def _latencies(report: CheckReport) -> dict[str, float]:
    return {
        "median": report.percentile(0.5),
        "95 %": report.percentile(0.95),
        "99 %": report.percentile(0.99),
        "longest": report.percentile(1.0),
    }


def _failure_text(number: int, failure: Failure, directory: Path | None) -> Iterator[str]:
    rules = f" [{failure.rules}]" if failure.rules else ""
    yield f"{number}. {failure.check}: {failure.sentence}{rules}"
    if failure.request is not None and directory is not None:
        yield f"   ask it again: --only {directory / request_file(number)}"


def request_file(number: int) -> str:
    """Return the file name of the request of failure *number*, counted from one."""
    return f"failure-{number:03d}.json"


def write_requests(report: CheckReport, directory: Path) -> int:
    """Write the exact request of every failure that has one, as JSON; return how many."""
    written = 0
    for number, failure in enumerate(report.failures, 1):
        if failure.request is None:
            continue
        directory.mkdir(parents=True, exist_ok=True)
        (directory / request_file(number)).write_text(json_format.MessageToJson(failure.request) + "\n")
        written += 1
    return written


def read_request(path: Path) -> play_pb2.DecisionRequest:
    """Return a request written by :func:`write_requests`.

    :raises OperatorError: if the file holds none.
    """
    try:
        return json_format.Parse(path.read_text(encoding="utf-8"), play_pb2.DecisionRequest())
    except (OSError, UnicodeDecodeError, json_format.ParseError) as error:
        text = " ".join(str(error).split())
        raise OperatorError(f"{path} holds no decision request: {text}") from None


def report_json(report: CheckReport) -> str:
    """Return the report as strict JSON."""
    values: dict[str, Any] = {
        "bot": report.bot,
        "name": report.name,
        "version": report.version,
        "passed": report.passed,
        "start_seconds": round(report.start_seconds, 4),
        "decision_seconds": {name: round(seconds, 6) for name, seconds in _latencies(report).items()},
        "checks": [{"check": check, "passed": passed} for check, passed in report.checks],
        "presets": [
            {
                "preset": preset.preset,
                "hands": preset.hands,
                "decisions": preset.decisions,
                "asked": sorted(preset.asked),
                "failures": preset.failures,
            }
            for preset in report.presets
        ],
        "failures": [_failure_json(failure) for failure in report.failures],
        "output": report.output,
    }
    return json.dumps(values, indent=2, allow_nan=False)


def _failure_json(failure: Failure) -> dict[str, Any]:
    values: dict[str, Any] = {"check": failure.check, "sentence": failure.sentence, "rules": failure.rules}
    if failure.request is not None:
        values["request"] = json_format.MessageToDict(failure.request)
    if failure.reply is not None:
        values["reply"] = json_format.MessageToDict(failure.reply)
    return values


def report_junit(report: CheckReport) -> str:
    """Return the report as JUnit XML, one test case for each part."""
    failed = sum(not passed for _, passed in report.checks)
    suite = ET.Element(
        "testsuite", name=f"euchre-arena check {report.bot}", tests=str(len(report.checks)), failures=str(failed)
    )
    for check, passed in report.checks:
        case = ET.SubElement(suite, "testcase", classname=report.bot, name=check)
        if not passed:
            found = [failure for failure in report.failures if failure.check == check]
            text = "\n".join(f"{failure.sentence} [{failure.rules}]" for failure in found)
            ET.SubElement(case, "failure", message=found[0].sentence if found else "failed").text = text
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
