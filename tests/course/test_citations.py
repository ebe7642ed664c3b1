"""Every number says where it is from, and every source it names is in the list, with title, address and date."""

import re
from datetime import date

import pytest

import ctxlab as cl
from ctxlab.course.citations import cited_in, source_of, sources
from ctxlab.course.deck import cards
from ctxlab.course.refresh import FOLDER
from ctxlab.course.series import read, source
from ctxlab.engine.profiles import PROFILES

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
KINDS = {  # evidence word -> what its sources are called
    "official": ("docs: ", "changelog", "effective context engineering"),
    "measured": ("recordings", "changelog"),
    "article": ("article-",),
    "ctxlab": ("ctxlab", "changelog"),
}


def citations_of_settings() -> list[tuple[str, str]]:
    return [(knob.evidence, knob.source) for name in PROFILES for knob in cl.Settings.profile(name).knobs()]


def citations_of(path) -> list[tuple[str, str]]:
    return [
        found for cell in read(path)["cells"] if cell["cell_type"] == "markdown" for found in cited_in(source(cell))
    ]


def test_every_setting_cites_a_source_that_is_listed() -> None:
    for evidence, citation in citations_of_settings():
        name = source_of(citation).name
        assert name.startswith(KINDS.get(evidence, name)), f"{evidence}: {citation}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_mark_in_a_notebook_resolves(path) -> None:
    for evidence, citation in citations_of(path):
        name = source_of(citation).name
        assert name.startswith(KINDS.get(evidence, name)), f"{evidence}: {citation}"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_mark_is_misspelt(path) -> None:
    """Anything in square brackets with a dot in the middle is meant as a mark, so it must be read as one."""
    for cell in read(path)["cells"]:
        if cell["cell_type"] == "markdown":
            text = source(cell)
            assert len(re.findall(r"\[\w+ · [^\]]+\]", text)) == len(cited_in(text)), text


def test_no_source_is_listed_in_vain() -> None:
    cited = {source_of(citation).name for _, citation in citations_of_settings()}
    cited |= {source_of(citation).name for path in NOTEBOOKS for _, citation in citations_of(path)}
    cited |= {source_of(citation).name for card in cards() for citation in card.sources}

    assert sorted(set(sources()) - cited) == []


def test_every_source_has_title_address_and_date() -> None:
    for found in sources().values():
        assert found.title, found
        assert found.address.startswith(("https://", "not known: ", "this repository", "ctxlab/data/")), found
        assert found.date == "not known" or date.fromisoformat(found.date) <= date(2026, 12, 31), found


def test_a_citation_of_nothing_is_refused_in_words() -> None:
    with pytest.raises(KeyError, match="'docs: contexts' begins with no source"):
        source_of("docs: contexts")
