"""The recordings of a machine as a list: what it tells, what it costs, and that no test sees a real one."""

import json
from pathlib import Path

import pytest

import ctxlab as cl
from ctxlab.course.refresh import NO_RECORDINGS
from ctxlab.sources import sessions
from ctxlab.sources.sessions import ENDS, recordings_folder, session_files
from tests.conftest import Lines
from tests.show.secrets import PLANTED
from tests.show.test_pictures import HOSTILE, Tags


def put(folder: Path, name: str, lines: Lines, *more: dict, project: str = "-srv-app") -> Path:
    path = folder / "projects" / project / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([lines.text(), *map(json.dumps, more)]) + "\n", encoding="utf-8")
    return path


def small(prompt: str = "fix the login") -> Lines:
    lines = Lines()
    lines.user(prompt, cwd="/srv/app")
    lines.reply("done")
    return lines


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path))
    return tmp_path


class TestList:
    def test_title_date_size_and_compactions(self, machine: Path) -> None:
        lines = small()
        lines.add("system", "", subtype="compact_boundary")
        path = put(machine, "one", lines)
        put(machine, "agent-x", small("a sub-agent's task"))
        [found] = cl.sessions()

        assert (found.path, found.title, found.project, found.at) == (
            path,
            "fix the login",
            "app",
            "2026-01-12T09:00:02Z",
        )
        assert (found.bytes, found.compactions, found.all_read) == (path.stat().st_size, 1, True)
        assert cl.load(found.path).blocks[0].text == "fix the login"

    def test_a_name_goes_before_a_prompt_and_what_a_program_typed_is_none(self, machine: Path) -> None:
        lines = Lines()
        for text in (
            "Caveat: generated",
            "<command-name>/clear</command-name>",
            "<ide_opened_file>x</ide_opened_file>",
        ):
            lines.user(text)
        put(machine, "a", lines, {"type": "summary", "summary": "of another session"})
        lines.user("the real prompt")
        put(machine, "b", lines)
        put(machine, "c", lines, {"type": "ai-title", "aiTitle": "Named"})

        assert sorted(each.title for each in cl.sessions()) == ["", "Named", "the real prompt"]
        assert "(no prompt at its beginning)" in repr(cl.sessions())

    def test_the_newest_comes_first(self, machine: Path) -> None:
        put(machine, "one", small())
        newer = small("newer")
        newer.reply("later")
        put(machine, "two", newer, project="-srv-other")

        assert [each.path.stem for each in cl.sessions()] == ["two", "one"]

    def test_of_a_long_file_only_head_and_tail_are_read(self, machine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """B20: 40 MB between them cost nothing, and what cannot be known is said to be a least number."""
        lines = small()
        for _ in range(30):
            lines.reply("x" * 4_000)
        lines.add("system", "", subtype="compact_boundary")
        path = put(machine, "long", lines)
        read: list[int] = []
        looked_at = sessions.ends

        def counted(file, size):
            head, tail = looked_at(file, size)
            read.append(len(head) + len(tail))
            return head, tail

        monkeypatch.setattr(sessions, "ends", counted)
        [found] = cl.sessions()
        assert path.stat().st_size > 3 * ENDS
        assert read[0] <= 2 * ENDS
        assert (found.title, found.compactions, found.all_read) == ("fix the login", 1, False)
        assert "at least 1" in repr(cl.sessions())

    @pytest.mark.parametrize("extra", range(-3, 4))
    @pytest.mark.parametrize("ends", [1, 2])
    def test_every_record_is_looked_at_once_where_the_two_ends_meet(self, machine: Path, ends: int, extra: int) -> None:
        lines = Lines()
        lines.user("begin")
        boundary = {"type": "system", "subtype": "compact_boundary"}
        path = put(machine, "s", lines, boundary, boundary)
        missing = ends * ENDS + extra - path.stat().st_size - len(json.dumps({"type": "x", "pad": ""})) - 1
        put(machine, "s", lines, {"type": "x", "pad": "y" * missing}, boundary, boundary)
        [found] = cl.sessions()

        assert path.stat().st_size == ends * ENDS + extra
        assert found.compactions == 2
        assert found.all_read is (extra <= 0 or ends == 1)

    @pytest.mark.parametrize("raw", [b"", b"\0" * 100, b"\xff\xfe", b"[]\n", b'{"type": 3}\n', b'{"torn', b"[" * 9_000])
    def test_what_is_no_recording_is_left_out(self, machine: Path, raw: bytes) -> None:
        put(machine, "one", small())
        (machine / "projects/-srv-app/two.jsonl").write_bytes(raw)
        (machine / "projects/-srv-app/three.jsonl").mkdir()

        assert [each.path.stem for each in cl.sessions()] == ["one"]

    @pytest.mark.parametrize("text", HOSTILE)
    def test_a_hostile_title_is_text(self, machine: Path, text: str) -> None:
        lines = Lines()
        lines.user(text, cwd=text, timestamp=text)
        put(machine, "one", lines)
        tags = Tags()
        tags.feed(cl.SessionChooser()._repr_mimebundle_()[0]["text/html"])

        assert set(tags.seen) <= {"table", "thead", "tbody", "tr", "th", "td", "p", "span"}
        assert "\x1b" not in repr(cl.sessions())

    def test_no_secret_of_a_title_is_listed(self, machine: Path) -> None:
        put(machine, "one", small(" ".join("".join(parts) for parts in PLANTED.values())[:90]))
        shown = [repr(cl.SessionChooser()), str(cl.SessionChooser().widget().children[0].options)]

        assert not [secret for _, secret, _ in PLANTED.values() if any(secret in text for text in shown)]


class TestChooser:
    def test_where_nothing_is_chosen_it_tells_the_story(self, machine: Path) -> None:
        chooser = cl.SessionChooser()

        assert chooser.load() == cl.story("classroom")
        assert "No recording is in $CLAUDE_CONFIG_DIR/projects" in repr(chooser)
        assert "one message to the kernel ends at 10 MB" in repr(chooser)

    def test_a_row_or_a_path_is_chosen_and_a_bad_path_loses_nothing(self, machine: Path, tmp_path: Path) -> None:
        put(machine, "one", small())
        other = put(machine, "elsewhere", small("other"), project="x/deeper")
        chooser = cl.SessionChooser()
        listed, typed, said, _ = chooser.widget().children
        listed.value = 0
        assert chooser.load().blocks[0].text == "fix the login"
        typed.value = f' "{other}" '
        assert chooser.load().blocks[0].text == "other"
        typed.value = str(tmp_path / "none.jsonl")
        assert "no file is at" in said.value
        assert chooser.load().blocks[0].text == "other"
        listed.value = -1
        assert chooser.load() == cl.story("classroom")

    def test_a_cell_that_is_run_again_keeps_the_choice(self, machine: Path) -> None:
        path = put(machine, "one", small())
        cl.SessionChooser().choose(path)
        assert cl.SessionChooser().path == path
        assert cl.SessionChooser().widget().children[0].value == 0
        path.unlink()
        assert cl.SessionChooser().path is None

    def test_one_of_the_list_can_be_loaded_audited_and_shown(self, machine: Path) -> None:
        put(machine, "one", small())
        [found] = cl.sessions()
        assert cl.load(found) == cl.load(found.path)
        assert cl.Bench(found).replay.history == cl.load(found.path)
        assert "Size at the end" in str(cl.audit(found))

    def test_odd_paths_are_said(self, machine: Path) -> None:
        chooser = cl.SessionChooser()
        for path, words in (("~nosuchuser/x", "no file is at"), (str(machine), "a folder is at")):
            with pytest.raises(FileNotFoundError, match=words):
                chooser.choose(path)


class TestNobodysRecordings:
    def test_tests_see_none(self) -> None:
        assert str(recordings_folder()).startswith(NO_RECORDINGS)
        assert len(cl.sessions()) == 0

    def test_a_notebook_that_is_made_for_others_refuses_them(
        self, machine: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CTXLAB_STATIC", "1")
        assert session_files() == []
        put(machine, "one", small())
        with pytest.raises(RuntimeError, match="set CLAUDE_CONFIG_DIR to an empty folder"):
            cl.SessionChooser()
