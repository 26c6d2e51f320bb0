"""Generates bodies: a valid one, with no, one or many changes, written in some notation, and sometimes damaged."""

from __future__ import annotations

import re
from random import Random
from typing import Any, Callable, List, Optional

from payspec_model.policy import Policy
from payspec_model.validate import LEGACY, TYPES

from .damage import damaged, nested
from .tree import Members, Raw, Writer
from .values import Values

_PATHS = sorted(TYPES)
#: Values with many rules are changed more often.
_WEIGHTS = [
    6 if TYPES[path] == "string" and path.endswith(("back", "url", "description", "user_id", "cur")) else 2
    for path in _PATHS
]
_LEGACY_NAMES = sorted(path.rpartition("/")[2] for path in LEGACY)
_UNKNOWN = ("x", "colour", "Amount", "amount ", "payment-type", "", "~", "/", "a/b", "m~n", "pay_in_details/card", "é",
"\u202e", "\x00", "\U0001f600",
            "__proto__", "card", "card_number", "payment_typ", "amounts", "payer_account", "currency",
            "4111111111111111", "a" * 70, '"', "\\")  # fmt: skip


def body(random: Random, policy: Policy, now: Optional[str]) -> bytes:
    return Maker(random, policy, now).body()


class Maker:
    def __init__(self, random: Random, policy: Policy, now: Optional[str]) -> None:
        self.random = random
        self.policy = policy
        # Cards expire around it. An invalid one is treated as absent.
        self.now = now if now is not None and re.match("[0-9]{4}-[0-9]{2}-", now) else None
        self.values = Values(random, policy)

    def body(self) -> bytes:
        random = self.random
        tree = self.valid_body()
        for _ in range(random.choice((0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 6, 12))):
            random.choices(self.changes, self.weights)[0](self, tree)
        if random.random() < 0.3:
            random.shuffle(tree)
        text = Writer(random).text(tree).encode("utf-8", "surrogatepass")
        if random.random() < 0.07:
            text = damaged(random, text)
        if random.random() < 0.03 and self.policy.body_bytes < 4000:
            # Exactly the limit of the policy, or one more.
            text += b" " * (self.policy.body_bytes + random.choice((-1, 0, 0, 1, 1)) - len(text))
        elif random.random() < 0.0005:
            text += b" " * (65536 + random.choice((0, 1)) - len(text))
        return text

    def valid_body(self) -> Members:
        """Returns a body without any violation, except for those that depend on the policy."""
        random, valid = self.random, self.values.valid
        pay_in = random.random() < 0.6
        members = Members([("payment_type", "pay_in" if pay_in else "pay_out")])
        mode = valid("/mode")
        if not pay_in or random.random() < 0.9:
            members.append(("mode", mode))
        if mode != "CRYPTO" or not pay_in or random.random() < 0.5:
            members.append(("subtype", valid("/subtype")))
        members += [("cur", valid("/cur")), ("amount", valid("/amount"))]
        optional = [
            "merchant_id",
            "user_id",
            "callback",
            "redirect_url",
            "bank_name",
            "description",
            "time_to_complete_payment",
        ]
        optional += ["user_name"] if pay_in else []
        members += [(name, valid(f"/{name}")) for name in optional if random.random() < 0.35]
        if pay_in and random.random() < 0.6:
            members += [("host2host", True), ("pay_in_details", self.details("/pay_in_details"))]
        elif not pay_in and random.random() < 0.8:
            members.append(("pay_out_details", self.details("/pay_out_details")))
        return members

    def details(self, path: str) -> Members:
        """Returns all members of the object, sometimes without a few of them."""
        members = Members()
        for each in TYPES:
            if each.rpartition("/")[0] == path and self.random.random() < 0.93:
                value = self.details(each) if TYPES[each] == "object" else self.values.valid(each)
                members.append((each.rpartition("/")[2], value))
        return members

    def parent(self, tree: Members, path: str) -> Optional[Members]:
        """Returns the parent object of the member. If it is missing, it is usually created."""
        for step in path.split("/")[1:-1]:
            inner = tree.get(step)
            if not isinstance(inner, Members):
                if self.random.random() < 0.3:
                    return None
                inner = Members()
                tree.put(step, inner)
            tree = inner
        return tree

    def some(self, tree: Members) -> tuple[Optional[Members], str, str]:
        """Returns some member: its parent object, its name, its path."""
        path = self.random.choices(_PATHS, _WEIGHTS)[0]
        return self.parent(tree, path), path.rpartition("/")[2], path

    def change(self, tree: Members) -> None:
        parent, name, path = self.some(tree)
        if parent is not None:
            parent.put(name, self.values.edge(path, self.now))

    def change_card(self, tree: Members) -> None:
        """Changes several members of one card, since their rules depend on each other."""
        for name in ("expiry_year", "expiry_month", "card_number", "security_code"):
            path = f"/pay_in_details/card/{name}"
            parent = self.parent(tree, path)
            if parent is not None and self.random.random() < 0.7:
                parent.put(name, self.values.edge(path, self.now))

    def change_money(self, tree: Members) -> None:
        for name in ("cur", "amount"):
            tree.put(name, self.values.edge(f"/{name}", self.now))

    def change_kind(self, tree: Members) -> None:
        """Changes a member that affects the rules of other members."""
        for name in ("payment_type", "mode", "subtype", "host2host"):
            if self.random.random() < 0.5:
                valid = self.random.random() < 0.8
                tree.put(name, self.values.valid(f"/{name}") if valid else self.values.edge(f"/{name}", self.now))
            elif self.random.random() < 0.2:
                tree.drop(name)

    def drop(self, tree: Members) -> None:
        parent, name, _ = self.some(tree)
        if parent is not None:
            parent.drop(name)

    def set_null(self, tree: Members) -> None:
        parent, name, _ = self.some(tree)
        if parent is not None:
            parent.put(name, None)

    def repeat(self, tree: Members) -> None:
        """Adds a duplicate member before or after the present one."""
        parent, name, path = self.some(tree)
        if self.random.random() < 0.2 and parent:
            name, value = self.random.choice(parent)
        elif TYPES[path] == "object":
            value = self.random.choice((Members(), self.details(path), None, self.values.other_type()))
        else:
            value = self.random.choice((self.values.valid(path), self.values.edge(path, self.now)))
        if parent is not None:
            for _ in range(self.random.choice((1, 1, 1, 2))):
                parent.insert(self.random.randint(0, len(parent)), (name, value))

    def add_unknown(self, tree: Members) -> None:
        where = self.inside(tree)
        for _ in range(self.random.choice((1, 1, 1, 2, 3, 80) if self.random.random() < 0.1 else (1,))):
            name = self.random.choice(_UNKNOWN) if self.random.random() < 0.7 else f"x{self.random.randrange(200)}"
            where.insert(self.random.randint(0, len(where)), (name, self.anything()))

    def add_legacy(self, tree: Members) -> None:
        where = self.inside(tree)
        where.insert(self.random.randint(0, len(where)), (self.random.choice(_LEGACY_NAMES), self.anything()))

    def add_foreign(self, tree: Members) -> None:
        """Adds a known name to the wrong object."""
        where = self.inside(tree)
        where.insert(
            self.random.randint(0, len(where)), (self.random.choice(_PATHS).rpartition("/")[2], self.anything())
        )

    def deepen(self, tree: Members) -> None:
        where = self.inside(tree)
        depth = max(0, self.policy.depth + self.random.choice((-4, -3, -2, -1, 0, 1, 20)))
        where.insert(
            self.random.randint(0, len(where)),
            (self.random.choice(("x", "y", "bank_name", "card")), Raw(nested(self.random, depth))),
        )

    def inside(self, tree: Members) -> Members:
        """Returns the body or an object in it."""
        place = self.random.choice(("/x", "/x", "/pay_in_details/x", "/pay_in_details/card/x", "/pay_out_details/x"))
        found = self.parent(tree, place)
        return tree if found is None else found

    def anything(self) -> Any:
        path = self.random.choice(_PATHS)
        twice = Members([("a", Raw("1")), ("a", Raw("2"))])
        return self.random.choice(
            (self.values.other_type(), self.values.edge(path, self.now), twice, [twice, "b"], self.values.valid(path))
        )

    changes: List[Callable[[Maker, Members], None]] = [
        change, change_card, change_money, change_kind, drop, set_null, repeat, add_unknown, add_legacy, add_foreign,
        deepen,
    ]  # fmt: skip
    weights = [50, 10, 8, 8, 8, 5, 5, 6, 3, 2, 2]
