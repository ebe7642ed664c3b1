"""Ledgerly: an invented accounting service on an invented disk, on which the story's tools really work.

Its files are made by rule, not stored. Grep looks through them, an edit changes them, the tests pass or fail by what has
been changed, so that the story's results agree with each other.
"""

from __future__ import annotations

import re

NOUNS = ("invoice", "payout", "ledger", "account", "mandate", "receipt", "balance", "tenant", "voucher", "journal")
VERBS = ("load", "book", "verify", "lock", "price", "notify", "archive", "settle", "match", "retry")
MODULES = {  # module -> how many operations it has at scale 1
    "callbacks": 3,
    "charge": 5,
    "settle": 5,
    "refund": 4,
    "capture": 3,
    "payout": 3,
    "retry": 3,
    "webhooks": 4,
    "gateway": 4,
    "session": 3,
    "pool": 13,
    "schema": 14,
    "ledger": 13,
    "batch": 4,
    "export": 12,
    "mandates": 13,
    "fees": 3,
    "rates": 3,
    "audit": 12,
    "api": 5,
}
RULES = """# Ledgerly

- Python 3.12, ruff, pytest. Run `pytest -q` before you say that something is done.
- The public API is `payments/api.py`. Clients outside this repository import it: never rename or remove a name there.
- Money is an integer number of cents. No floats, not even in tests.
- Every database call goes through `payments/pool.py`.
- Commit messages are one line, in the imperative.
"""


class Project:
    """The files of the service, and what its tools answer. `scale` multiplies the length of every file and log."""

    def __init__(self, scale: int = 1) -> None:
        self.scale = scale
        self.files = {f"payments/{name}.py": module(name, count * scale) for name, count in MODULES.items()}
        self.files["tests/test_refund.py"] = refund_test(scale)

    def read(self, path: str, offset: int = 1, limit: int | None = None) -> str:
        """Lines with their numbers, as the tool shows them."""
        lines = self.files[path].split("\n")
        chosen = lines[offset - 1 : offset - 1 + limit if limit else None]
        return "\n".join(f"{number:6}\u2192{line}" for number, line in enumerate(chosen, offset))

    def grep(self, pattern: str) -> str:
        """Every line that matches, with its file and number."""
        found = re.compile(pattern)
        return "\n".join(
            f"{path}:{number}:{line}"
            for path, text in self.files.items()
            for number, line in enumerate(text.split("\n"), 1)
            if found.search(line)
        )

    def operation(self, path: str, number: int) -> tuple[str, str]:
        """One operation of a module, in the old form and in the new: what an edit replaces by what."""
        name = path.removeprefix("payments/").removesuffix(".py")
        return operation(name, number, asynchronous=False), operation(name, number, asynchronous=True)

    def edit(self, path: str, old: str, new: str) -> str:
        """Replace a text in a file, and show where."""
        text = self.files[path]
        if old not in text:
            return f"String to replace not found in file.\nString: {old[:200]}"
        at = text[: text.index(old)].count("\n") + 1
        self.files[path] = text.replace(old, new, 1)
        shown = self.read(path, max(1, at - 1), 6)
        return f"The file {path} has been updated. Here is a part of it:\n{shown}"

    def converted(self) -> int:
        """How many operations are asynchronous by now."""
        return sum(text.count("    async def ") for path, text in self.files.items() if path.startswith("payments/"))

    def tests(self, *, idempotent: bool) -> str:
        """What `pytest -q` prints; one test fails until refunds are idempotent again."""
        done = self.converted()
        total = sum(MODULES.values()) * self.scale + 1
        if idempotent:
            return f"{'.' * min(total, 72)} [100%]\n{total} passed in {2 + done / 10:.2f}s"
        return (
            f"{'.' * 31}F{'.' * 28} [100%]\n"
            "=================================== FAILURES ===================================\n"
            "_________________________ test_refund_is_idempotent ____________________________\n"
            "    async def test_refund_is_idempotent(session):\n"
            "        first = await refund(session, key='r-771', cents=1250)\n"
            "        again = await refund(session, key='r-771', cents=1250)\n"
            ">       assert first.entry_id == again.entry_id\n"
            "E       AssertionError: assert 40117 == 40118\n"
            "tests/test_refund.py:27: AssertionError\n"
            "=========================== short test summary info ============================\n"
            "FAILED tests/test_refund.py::test_refund_is_idempotent - AssertionError: assert 40117 == 40118\n"
            f"1 failed, {total - 1} passed in {3 + done / 10:.2f}s"
        )

    def debug_log(self, lines: int) -> str:
        """A test run with everything logged: long, and nearly all of it noise."""
        out = ["=== test session starts (log level DEBUG) ==="]
        for number in range(lines):
            noun, verb = NOUNS[number % 10], VERBS[number * 7 % 10]
            out.append(
                f"09:{number // 60 % 60:02}:{number % 60:02}.{number * 37 % 1000:03} DEBUG payments.{verb} "
                f"key=r-{number * 13 % 997} {noun}_id={40000 + number * 3 % 211} rows={number * 5 % 17} in {number * 11 % 89} ms"
            )
        out.append("FAILED tests/test_refund.py::test_refund_is_idempotent - AssertionError: assert 40117 == 40118")
        return "\n".join(out)


def module(name: str, count: int) -> str:
    """The text of one module."""
    head = f'"""Ledgerly payments: {name}."""\n\nfrom payments import pool\nfrom payments.callbacks import finish\n\n\nclass {name.title()}:\n'
    return head + "\n".join(operation(name, number, asynchronous=False) for number in range(count))


def operation(name: str, number: int, *, asynchronous: bool) -> str:
    """One method, with callbacks or awaiting."""
    seed = sum(map(ord, name)) + number * 3
    verb, noun, other = VERBS[seed % 10], NOUNS[(seed + number) % 10], NOUNS[(seed * 7 + 3) % 10]
    method = f"{verb}_{noun}" + (f"_{number // 10}" if number >= 10 else "")
    if asynchronous:
        return (
            f"    async def {method}(self, {noun}_id, cents):\n"
            f"        {other} = await pool.fetch_{other}({noun}_id)\n"
            f"        if {other}.cents < cents:\n"
            f"            raise ValueError(f'{noun} {{{noun}_id}}: {{cents}} cents is more than {{{other}.cents}}')\n"
            f"        return await pool.store_{noun}({noun}_id, {other}.cents - cents)\n"
        )
    return (
        f"    def {method}(self, {noun}_id, cents, on_done):\n"
        f"        def with_{other}(error, {other}):\n"
        f"            if error:\n"
        f"                return on_done(error, None)\n"
        f"            if {other}.cents < cents:\n"
        f"                return on_done(ValueError('{noun}: not enough'), None)\n"
        f"            pool.store_{noun}({noun}_id, {other}.cents - cents, finish(on_done))\n"
        f"        pool.fetch_{other}({noun}_id, with_{other})\n"
    )


def refund_test(scale: int) -> str:
    """The test file that the failing test stands in."""
    tests = [
        f"async def test_refund_{VERBS[n % 10]}_{NOUNS[n * 3 % 10]}_{n}(session):\n"
        f"    entry = await refund(session, key='r-{700 + n}', cents={150 + n * 25})\n"
        f"    assert entry.cents == {150 + n * 25}\n"
        for n in range(6 * scale)
    ]
    return "import pytest\n\nfrom payments.api import refund\n\n\n" + "\n\n".join(tests)
