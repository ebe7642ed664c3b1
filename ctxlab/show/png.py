"""PNG of an SVG, for committed notebooks: a notebook that was just cloned is untrusted and shows nothing else.

Made only when the notebooks are refreshed, with a renderer that is pinned and the fonts that it is given: a development
dependency, nothing that a reader needs.
"""

from __future__ import annotations

from pathlib import Path

FONTS = (
    Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"),
    Path("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"),
)


def has_fonts() -> bool:
    """True where the fonts are there with which committed pictures are made."""
    return all(font.is_file() for font in FONTS)


def png_of(svg: str, width: int = 960) -> bytes:
    """Render an SVG; raises ImportError and FileNotFoundError that say what to install."""
    try:
        import resvg_py
    except ImportError as error:
        raise ImportError("resvg-py is not installed; it comes with the extra `test` of ctxlab") from error
    if not has_fonts():
        raise FileNotFoundError(f"{FONTS[0]} is missing; install the DejaVu fonts (Debian: fonts-dejavu-core)")
    picture = resvg_py.svg_to_bytes(
        svg_string=svg.replace('width="100%"', f'width="{width}"'),
        skip_system_fonts=True,
        font_files=[str(font) for font in FONTS],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )
    return bytes(picture)
