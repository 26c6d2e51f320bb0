"""Printed structures of programming languages."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from .events import Event, camel, pascal
from .servers import plain


def quoted(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def rust(random: Random, event: Event) -> str:
    def debug(value: Any) -> str:
        if value is None:
            return "None"
        return f"Some({quoted(value)})" if isinstance(value, str) and random.random() < 0.4 else quoted(value)

    if random.random() < 0.3:
        lines = "".join(f"    {name}: {debug(value)},\n" for name, value in event.fields)
        return f"Payment {{\n{lines}    note: {quoted(event.message)},\n}}"
    pairs = ", ".join(f"{name}: {debug(value)}" for name, value in event.fields)
    return f"Payment {{ {pairs}, note: {quoted(event.message)} }}"


def go(random: Random, event: Event) -> str:
    def printed(value: Any) -> str:
        if value is None:
            return "<nil>"
        return f"[{' '.join(map(str, value))}]" if isinstance(value, list) else plain(value)

    pairs = " ".join(f"{pascal(name)}:{printed(value)}" for name, value in event.fields)
    return f"{random.choice(('', '&'))}{{{pairs} Note:{event.message}}}"


def java(random: Random, event: Event) -> str:
    def printed(value: Any) -> str:
        if value is None:
            return "null"
        if not isinstance(value, str):
            return plain(value)
        return random.choice((value, f"'{value}'", f"Optional[{value}]"))

    pairs = ", ".join(f"{camel(name)}={printed(value)}" for name, value in event.fields)
    return f"Payment@{random.randrange(16**7):x}{{{pairs}, note='{event.message}'}}"


def python(random: Random, event: Event) -> str:
    if random.random() < 0.4:
        return repr({**dict(event.fields), "note": event.message})
    has_bytes = random.random() < 0.3

    def printed(value: Any) -> str:
        return repr(value.encode() if has_bytes and isinstance(value, str) and value.isascii() else value)

    pairs = ", ".join(f"{name}={printed(value)}" for name, value in event.fields)
    return f"Payment({pairs}, note={event.message!r})"


def php(random: Random, event: Event) -> str:
    def dumped(value: Any, indent: str) -> str:
        if value is None:
            return "NULL"
        if isinstance(value, bool):
            return f"bool({str(value).lower()})"
        if isinstance(value, int):
            return f"int({value})"
        if isinstance(value, list):
            items = "".join(f"{indent}  [{at}]=>\n{indent}  int({each})\n" for at, each in enumerate(value))
            return f"array({len(value)}) {{\n{items}{indent}}}"
        return f'string({len(value.encode())}) "{value}"'

    lines = "".join(
        f'  ["{name}"]=>\n  {dumped(value, "  ")}\n' for name, value in [*event.fields, ("note", event.message)]
    )
    return f"object(Payment)#{random.randrange(500)} ({len(event.fields) + 1}) {{\n{lines}}}"


def javascript(random: Random, event: Event) -> str:
    def inspected(value: Any) -> str:
        if isinstance(value, str):
            return f"'{value}'"
        return f"[ {', '.join(map(str, value))} ]" if isinstance(value, list) else quoted(value)

    separator = random.choice((", ", ",\n  "))
    name_style = random.choice((camel, str))
    pairs = separator.join(f"{name_style(name)}: {inspected(value)}" for name, value in event.fields)
    return f"Payment {{ {pairs}{separator}note: '{event.message}' }}"


def ruby(random: Random, event: Event) -> str:
    def inspected(value: Any) -> str:
        return "nil" if value is None else quoted(value)

    kind = random.randrange(3)
    if kind == 0:
        variables = ", ".join(f"@{name}={inspected(value)}" for name, value in event.fields)
        return f"#<Payment:0x{random.randrange(16**16):016x} {variables}, @note={quoted(event.message)}>"
    pairs = (
        f":{name}=>{inspected(value)}" if kind == 1 else f"{name}: {inspected(value)}" for name, value in event.fields
    )
    return f"{{{', '.join(pairs)}, :note=>{quoted(event.message)}}}"


def csharp(random: Random, event: Event) -> str:
    def printed(value: Any) -> str:
        return "" if value is None else "System.Int32[]" if isinstance(value, list) else plain(value)

    pairs = ", ".join(f"{pascal(name)} = {printed(value)}" for name, value in event.fields)
    return f"Payment {{ {pairs}, Note = {event.message} }}"


def kotlin(random: Random, event: Event) -> str:
    return (
        f"Payment({', '.join(f'{camel(name)}={plain(value)}' for name, value in event.fields)}, note={event.message})"
    )


def scala(random: Random, event: Event) -> str:
    """The text of a case class has no names, so card data under a name comes from an interpolated string."""

    def printed(value: Any) -> str:
        if isinstance(value, list):
            return f"List({', '.join(map(str, value))})"
        return "None" if value is None else random.choice((plain(value), f"Some({plain(value)})"))

    named = ", ".join(f"{camel(name)}={printed(value)}" for name, value in event.fields)
    payment = f"Payment({random.randrange(10**6)},Some({random.randrange(10**4)}.50),Vector(1, 2, 3))"
    return f"{event.message}: {named}; {payment}"
