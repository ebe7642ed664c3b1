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


CHINESE = (  # where the usual packages put one; looked for only where a picture has Chinese words
    Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"),
    Path("/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc"),
    Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"),
    Path("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"),
)


def chinese_fonts() -> list[Path]:
    """The first Chinese font that is here, if any."""
    return [font for font in CHINESE if font.is_file()][:1]


def is_chinese(svg: str) -> bool:
    """True where a picture has words that the usual fonts cannot draw."""
    return any("\u2e80" <= letter <= "\uffef" for letter in svg)


def has_every_letter(svg: str) -> bool:
    """True where the fonts that are here can draw every word of a picture."""
    return not is_chinese(svg) or bool(chinese_fonts())


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
        font_files=[str(font) for font in (*FONTS, *(chinese_fonts() if is_chinese(svg) else ()))],
        font_family="DejaVu Sans",
        sans_serif_family="DejaVu Sans",
    )
    return bytes(picture)
