"""Every small change that is made to a module, one at a time.

A change is made in the module's tree in place, the tree is compiled, the change is undone. What is no logic is left
alone: docstrings, annotations, imports, ``__slots__``, decorators, texts of errors and of ``describe`` and
``__repr__``, f-string texts, the texts of enum members, the names of presets, ``if TYPE_CHECKING``.
"""

from __future__ import annotations

import ast
import marshal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import NamedTuple

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}
_MESSAGES = ("Error", "ActionRefused")
_TEXT_FUNCTIONS = ("__repr__", "describe")
_REMOVABLE = (ast.Assign, ast.AugAssign, ast.Continue, ast.Break, ast.Raise, ast.Return, ast.Expr)


class Site(NamedTuple):
    """One possible change: where, what, and how to make and undo it."""

    node: ast.AST
    what: str
    make: Callable[[], None]
    undo: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed module, ready to run."""

    module: str
    function: str
    """Qualified name of the outermost function changed; empty for what runs when the module is imported."""
    line: int
    what: str
    ordinal: int
    """Which of several equal changes in one function."""
    code: CodeType

    @property
    def id(self) -> str:
        """Return a name that stays when lines move."""
        return f"{self.module}:{self.function}:{self.what}#{self.ordinal}"


def mutants(module: str, source: str, path: str) -> Iterator[Mutant]:
    """Yield every mutant of *source* that compiles to something else than the original."""
    tree = ast.parse(source)
    original = marshal.dumps(compile(tree, path, "exec", dont_inherit=True))
    seen: Counter[tuple[str, str]] = Counter()
    for function, site in list(_module_sites(tree)):
        site.make()
        try:
            code = compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, TypeError):
            continue
        finally:
            site.undo()
        if marshal.dumps(code) == original:
            continue
        key = (function, site.what)
        seen[key] += 1
        yield Mutant(module, function, getattr(site.node, "lineno", 0), site.what, seen[key], code)


def _module_sites(tree: ast.Module) -> Iterator[tuple[str, Site]]:
    yield from _Walker().block(tree, "body", "")


def _put(target: object, name: str, new: object, node: ast.AST, what: str) -> Site:
    old = getattr(target, name)
    return Site(node, what, lambda: setattr(target, name, new), lambda: setattr(target, name, old))


def _put_item(items: list[ast.AST], index: int, new: ast.AST, node: ast.AST, what: str) -> Site:
    old = items[index]
    return Site(node, what, lambda: items.__setitem__(index, new), lambda: items.__setitem__(index, old))


def _put_list(items: list[ast.AST], new: list[ast.AST], node: ast.AST, what: str) -> Site:
    old = items[:]
    return Site(node, what, lambda: items.__setitem__(slice(None), new), lambda: items.__setitem__(slice(None), old))


def _text(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 90 else text[:87] + "..."


class _Walker:
    """Walks statements and expressions and yields the sites, with the function each belongs to."""

    def block(self, owner: ast.AST, name: str, function: str, *, is_class: bool = False) -> Iterator[tuple[str, Site]]:
        statements: list[ast.AST] = getattr(owner, name)
        for index, statement in enumerate(statements):
            if _is_no_logic(statement):
                continue
            yield from self.statement(statement, function)
            if isinstance(statement, _REMOVABLE) and function and not is_class:
                gone = ast.copy_location(ast.Pass(), statement)
                what = f"remove: {_text(statement)}"
                yield function.split("::")[0], _put_item(statements, index, gone, statement, what)

    def statement(self, node: ast.AST, function: str) -> Iterator[tuple[str, Site]]:
        """Yield the sites in one statement. ``function`` is ``outer`` or ``outer::inner`` while inside one."""
        match node:
            case ast.FunctionDef():
                yield from self._function(node, function)
                return
            case ast.ClassDef():
                is_enum = any("Enum" in ast.unparse(base) for base in node.bases)
                for child in node.body:
                    if _is_no_logic(child) or (is_enum and _is_text_member(child)):
                        continue
                    if isinstance(child, ast.FunctionDef):
                        yield from self._function(child, function, prefix=f"{node.name}.")
                    else:
                        yield from self.statement(child, function)
                return
            case ast.If() | ast.While():
                yield from self._forced(node, "test", node.test, function, both=isinstance(node, ast.If))
            case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
                none = ast.copy_location(ast.Constant(None), value)
                yield function, _put(node, "value", none, node, f"{_text(node)} -> return None")
            case ast.AugAssign(op=op) if type(op) in _ARITHMETIC:
                new = _ARITHMETIC[type(op)]()
                yield function, _put(node, "op", new, node, f"{_text(node)} -> {type(new).__name__}")
            case ast.Match():
                for case in node.cases:
                    if len(node.cases) > 1:
                        kept: list[ast.AST] = [other for other in node.cases if other is not case]
                        cases: list[ast.AST] = node.cases  # type: ignore[assignment]
                        yield function, _put_list(cases, kept, case.pattern, f"remove: case {_text(case.pattern)}")
                    if case.guard is not None:
                        yield function, _put(case, "guard", None, case.guard, f"remove: if {_text(case.guard)}")
                        yield from self.expression(case.guard, case, "guard", function)
                    yield from self.block(case, "body", function)
                yield from self.expression(node.subject, node, "subject", function)
                return
            case _:
                pass
        yield from self._children(node, function)

    def _function(self, node: ast.FunctionDef, function: str, prefix: str = "") -> Iterator[tuple[str, Site]]:
        for name in ("defaults", "kw_defaults"):
            for default in getattr(node.args, name):
                if default is not None:
                    yield from self.expression(default, node.args, name, function)
        if node.name not in _TEXT_FUNCTIONS:
            yield from self.block(node, "body", function or f"{prefix}{node.name}")

    def _children(self, node: ast.AST, function: str) -> Iterator[tuple[str, Site]]:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "decorator_list", "returns", "type_comment"):
                continue
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield from self.block(node, name, function)
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, ast.AST):
                        yield from self.expression(item, node, name, function)
            elif isinstance(value, ast.AST):
                yield from self.expression(value, node, name, function)

    def _forced(
        self, owner: ast.AST, name: str, test: ast.expr, function: str, *, both: bool
    ) -> Iterator[tuple[str, Site]]:
        for value in (True, False) if both else (False,):
            new = ast.copy_location(ast.Constant(value), test)
            yield function, _put(owner, name, new, test, f"if {_text(test)} -> {value}")

    def expression(self, node: ast.AST, owner: ast.AST, name: str, function: str) -> Iterator[tuple[str, Site]]:
        """Yield the sites in one expression; *owner* has it in its field *name* (perhaps in a list)."""
        if _is_message(node) or isinstance(node, ast.expr_context):
            return

        def replaced(new: ast.AST, what: str) -> tuple[str, Site]:
            ast.copy_location(new, node)
            held = getattr(owner, name)
            if isinstance(held, list):
                at = next(i for i, item in enumerate(held) if item is node)
                return function, _put_item(held, at, new, node, what)
            return function, _put(owner, name, new, node, what)

        match node:
            case ast.Constant(value=value):
                for new in _other_constants(value):
                    yield replaced(ast.Constant(new), f"{value!r} -> {new!r}")
                return
            case ast.JoinedStr():
                for part in node.values:
                    if isinstance(part, ast.FormattedValue):
                        yield from self.expression(part.value, part, "value", function)
                return
            case ast.Compare():
                for at, op in enumerate(node.ops):
                    for other in _COMPARISONS[type(op)]:
                        ops: list[ast.AST] = node.ops  # type: ignore[assignment]
                        yield function, _put_item(ops, at, other(), node, f"{_text(node)} -> {other.__name__} at {at}")
            case ast.BoolOp():
                swapped = ast.Or() if isinstance(node.op, ast.And) else ast.And()
                yield function, _put(node, "op", swapped, node, f"{_text(node)} -> {type(swapped).__name__}")
                for operand in node.values:
                    rest = [other for other in node.values if other is not operand]
                    fewer_operands = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
                    yield replaced(fewer_operands, f"{_text(node)}: without {_text(operand)}")
            case ast.UnaryOp(op=ast.Not() | ast.USub()):
                yield replaced(node.operand, f"{_text(node)} -> {_text(node.operand)}")
            case ast.BinOp(op=op) if type(op) in _ARITHMETIC:
                changed = _ARITHMETIC[type(op)]()
                yield function, _put(node, "op", changed, node, f"{_text(node)} -> {type(changed).__name__}")
            case ast.IfExp():
                yield from self._forced(node, "test", node.test, function, both=True)
            case ast.comprehension():
                for test in node.ifs:
                    fewer: list[ast.AST] = [other for other in node.ifs if other is not test]
                    ifs: list[ast.AST] = node.ifs  # type: ignore[assignment]
                    yield function, _put_list(ifs, fewer, test, f"remove: if {_text(test)}")
            case ast.Call():
                yield from self._call(node, function)
            case ast.Subscript(slice=ast.Slice() as cut):
                for bound in ("lower", "upper"):
                    if getattr(cut, bound) is not None:
                        yield function, _put(cut, bound, None, node, f"{_text(node)}: without {bound} bound")
            case ast.Tuple() | ast.List() | ast.Set() if len(node.elts) > 1 and not isinstance(
                getattr(node, "ctx", None), ast.Store
            ):
                elements: list[ast.AST] = node.elts  # type: ignore[assignment]
                for element in node.elts:
                    left = [other for other in elements if other is not element]
                    yield function, _put_list(elements, left, element, f"{_text(node)}: without {_text(element)}")
            case ast.Dict() if len(node.keys) > 1:
                yield from self._dict(node, function)
            case _:
                pass
        yield from self._children(node, function)

    @staticmethod
    def _call(node: ast.Call, function: str) -> Iterator[tuple[str, Site]]:
        arguments: list[ast.AST] = node.args  # type: ignore[assignment]
        for at in range(len(arguments) - 1):
            pair = arguments[at : at + 2]
            if ast.dump(pair[0]) != ast.dump(pair[1]) and not any(isinstance(each, ast.Starred) for each in pair):
                swapped = [*arguments[:at], arguments[at + 1], arguments[at], *arguments[at + 2 :]]
                yield function, _put_list(arguments, swapped, node, f"{_text(node)}: arguments {at}, {at + 1} swapped")
        keywords: list[ast.AST] = node.keywords  # type: ignore[assignment]
        for keyword in node.keywords:
            if keyword.arg != "name":
                left = [other for other in keywords if other is not keyword]
                what = f"{_text(node.func)}(): without {keyword.arg}={_text(keyword.value)}"
                yield function, _put_list(keywords, left, keyword.value, what)
        if isinstance(node.func, ast.Name):
            called = node.func
            if called.id in _TWINS:
                twin = _TWINS[called.id]
                yield function, _put(called, "id", twin, node, f"{_text(node)} -> {twin}")
            if called.id == "range":
                for argument in list(arguments):
                    if not isinstance(argument, ast.Constant):
                        more = ast.BinOp(argument, ast.Add(), ast.Constant(1))  # type: ignore[arg-type]
                        ast.copy_location(more, argument)
                        at = next(i for i, other in enumerate(arguments) if other is argument)
                        yield function, _put_item(arguments, at, more, node, f"{_text(node)}: argument {at} + 1")

    @staticmethod
    def _dict(node: ast.Dict, function: str) -> Iterator[tuple[str, Site]]:
        keys, values = node.keys, node.values
        for at, key in enumerate(keys):

            def make(at: int = at) -> None:
                node.keys, node.values = keys[:at] + keys[at + 1 :], values[:at] + values[at + 1 :]

            def undo() -> None:
                node.keys, node.values = keys, values

            what = f"{{...}}: without {_text(key) if key is not None else '**' + _text(values[at])}"
            yield function, Site(values[at], what, make, undo)


def _other_constants(value: object) -> tuple[bool | int | str, ...]:
    match value:
        case bool():
            return (not value,)
        case int():
            return (value + 1, value - 1)
        case str():
            return (value + "!",)
        case _:
            return ()


def _is_no_logic(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id="__slots__" | "__all__" | "__hash__")]):
            return True
        case ast.Assign(value=ast.Subscript(value=ast.Name(id="tuple" | "Callable"))):
            return True  # the name of a type
        case ast.AnnAssign(annotation=annotation, value=value):
            return value is None or "TypeAlias" in ast.unparse(annotation)
        case _:
            return False


def _is_text_member(node: ast.AST) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_message(node: ast.AST) -> bool:
    """Tell whether *node* builds an error, says ``name=`` of a preset, or declares a dataclass field."""
    if isinstance(node, ast.keyword):
        return node.arg == "name"
    if not isinstance(node, ast.Call):
        return False
    return ast.unparse(node.func).endswith(_MESSAGES) or ast.unparse(node.func) == "field"
