"""B26: a notebook that was run with live widgets, saved and opened again shows what they showed; and it holds no secret."""

import base64
import gzip
import json
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter

from ctxlab.course.refresh import WIDGET
from tests.benches import opened
from tests.jupyter import open_notebook, run_all
from tests.show.secrets import PLANTED, places, planted, session

ALL = " and ".join("".join(parts) for parts in PLANTED.values())
CELLS = (
    "import ctxlab as cl\nfrom ctxlab.course import predict",
    'bench = cl.Bench("{path}", cl.Settings.profile("classroom").set("budget.per_result_chars=2000"), against=cl.Settings.profile("v2.1"))\nbench.replay\nbench',
    "cl.SessionChooser()",
    "cl.sessions()",
    "bench.replay",
    "cl.StepTable(bench.replay, all_steps=True)",
    'bench.save("{page}").about',
    'predict("14.acts")',
)


def ran(folder: Path, text: str, *, state: bool) -> nbformat.NotebookNode:
    """A notebook over one session, run with live widgets."""
    path = folder / "claude" / "projects" / "-srv" / "s.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    filled = [cell.format(path=path, page=folder / "page.html") for cell in CELLS]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in filled])
    options = {"extra_arguments": ["--Application.log_level=40"], "timeout": 120}
    client = NotebookClient(notebook, kernel_name="python3", store_widget_state=state, **options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CLAUDE_CONFIG_DIR", str(folder / "claude"))
        client.execute(cwd=str(folder))
    return notebook


def outputs(notebook: nbformat.NotebookNode) -> list[dict]:
    return [output["data"] for cell in notebook.cells for output in cell.get("outputs", []) if "data" in output]


def everything(notebook: nbformat.NotebookNode) -> str:
    """The saved file as text, and behind it what is packed in the state of its widgets."""
    text = nbformat.writes(notebook)
    state = notebook.metadata.get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    buffers = [base64.b64decode(b["data"]) for each in state.values() for b in each.get("buffers", [])]
    unpacked = [gzip.decompress(b) if b[:2] == b"\x1f\x8b" else b for b in buffers]
    assert not state or len(unpacked) >= 2
    loose = re.sub(r'"source": \[[^\]]*\]', "", text)  # the reader's own cells
    return "\n".join([loose, *(each.decode("utf-8", "replace") for each in unpacked)])


@pytest.mark.parametrize("state", [False, True], ids=["usual", "with widget state"])
def test_each_widget_has_a_static_form_beside_it_and_in_exported_html(tmp_path: Path, state: bool) -> None:
    notebook = ran(tmp_path, planted((0, "message", "content"), "hello"), state=state)
    live = [data for data in outputs(notebook) if WIDGET in data]
    html, _ = HTMLExporter().from_notebook_node(notebook)

    assert len(live) == 3
    assert all({"text/html", "image/svg+xml"} & set(data) and "text/plain" in data for data in live)
    if not state:
        assert "data:image/svg+xml" in html or "<svg" in html
        assert "1 recording in $CLAUDE_CONFIG_DIR/projects" in html
        assert "widget-view" not in html


def test_no_secret_is_in_the_saved_notebook(tmp_path: Path) -> None:
    interesting = [place for place in places(session()) if place[-1] not in ("type", "role")]
    for number, place in enumerate(interesting[:: len(interesting) // 7]):
        folder = tmp_path / str(number)
        saved = everything(ran(folder, planted(place, ALL), state=True))
        saved += (folder / "page.html").read_text(encoding="utf-8")
        saved = saved.replace(json.dumps(str(folder))[1:-1], "")
        assert [secret for _, secret, _ in PLANTED.values() if secret in saved] == [], place


def test_reopened_with_its_widget_state_the_bench_stands_there_without_a_run(
    lab: str, browser, notebooks: Path
) -> None:
    """Without that state JupyterLab says "model not found" in a trusted notebook, whatever stands beside the widget."""
    cells = (
        'import ctxlab as cl\ncl.Bench(cl.story("classroom"), cl.Settings.profile("classroom"))',
        "cl.SessionChooser()",
    )
    seen = opened(lab, browser, notebooks, "saved", *cells)
    for command in ("@jupyter-widgets/jupyterlab-manager:saveWidgetState", "docmanager:save"):
        seen.page.evaluate(f"async () => {{ await window.jupyterapp.commands.execute('{command}') }}")
    seen.page.wait_for_timeout(500)
    stored = nbformat.read(notebooks / "saved.ipynb", as_version=4)
    assert all({"text/html", "image/svg+xml"} & set(data) for data in outputs(stored))
    seen.page.evaluate("async () => { await window.jupyterapp.shell.currentWidget.sessionContext.shutdown() }")
    open_notebook(seen.page, lab, "saved.ipynb")
    bench = seen.shown()
    bench.get_by_role("button", name="Next act (N)").click()
    seen.at(8, "snip")
    seen.shot("reopened")
    assert "model not found" not in seen.page.locator(".jp-Notebook").text_content()
    run_all(seen.page)
    seen.shown()
    assert (seen.outside, seen.errors) == ([], [])
