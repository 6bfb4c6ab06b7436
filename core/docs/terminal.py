"""Makes a picture of what a terminal showed: python3 terminal.py < TYPESCRIPT > run.svg (Python 3, nothing else).

Reads the output of a program with its colours, as `script -qec 'restive demo' TYPESCRIPT` records it, and keeps what stays on the
screen: lines that were written over are left out, long ones are cut.
"""

import re
import sys
from html import escape

COLUMNS, LINE, LEFT, TOP, ADVANCE = 118, 19, 22, 46, 7.83
COLOURS = {"31": "#f39a92", "32": "#7fd0a2", "33": "#e9bd6b", "36": "#8fd3e0"}
CODE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])")


def screen(text):
    """The lines that stay, as lists of (style codes, text)."""
    for line in text.replace("\r\n", "\n").split("\n"):
        # What clears a line or returns to its begin makes what was there before disappear.
        last = re.split(r"\r|\x1b\[2K", line)[-1]
        pieces, codes, at = [], [], 0
        for code in CODE.finditer(last):
            pieces.append((tuple(codes), last[at : code.start()]))
            at = code.end()
            if code[2] == "m":
                codes = [] if code[1] in ("", "0") else codes + code[1].split(";")
        pieces.append((tuple(codes), last[at:]))
        yield [(codes, text) for codes, text in pieces if text]


def cut(pieces):
    """At most so many columns of a line."""
    room = COLUMNS
    for codes, text in pieces:
        yield codes, text if len(text) <= room else text[: max(room - 1, 0)] + "…"
        room -= len(text)
        if room <= 0:
            return


def span(codes, text):
    colour = next((COLOURS[code] for code in codes if code in COLOURS), None)
    style = (f' fill="{colour}"' if colour else "") + (' font-weight="700"' if "1" in codes else "") + (' opacity=".6"' if "2" in codes else "")
    # Spaces in a row would be shown as one.
    return f"<tspan{style}>{escape(text)}</tspan>".replace("  ", "\u00a0\u00a0")


def main():
    text = "\n".join(line for line in sys.stdin.read().split("\n") if not line.startswith("Script "))
    progress = [line for line in re.split(r"[\r\n]|\x1b\[2K", text) if re.match(r"\s*\d+% [\d,]+ calls", line)]
    lines = [line for line in screen(text) if not any(re.match(r"\s*\d+% ", text) for _, text in line)]
    start = next(idx for idx, line in enumerate(lines) if any(" at http://" in text for _, text in line))
    end = next((idx for idx, line in enumerate(lines) if line and line[0][1].startswith("Your own service")), len(lines))
    shown = [[((), "$ restive demo")], [((), progress[len(progress) // 2].strip())], []] + lines[start:end]
    while shown and not shown[-1]:
        shown.pop()
    width, height = round(LEFT * 2 + COLUMNS * ADVANCE), TOP + len(shown) * LINE + 14
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="A run of restive demo in a terminal">')
    print(f'<rect width="{width}" height="{height}" rx="10" fill="#15161a"/>')
    for idx, colour in enumerate(["#b0302b", "#8a5800", "#22714a"]):
        print(f'<circle cx="{LEFT + idx * 18}" cy="20" r="5.5" fill="{colour}"/>')
    print('<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace" font-size="13" fill="#eceae5">')
    for idx, line in enumerate(shown):
        if line:
            print(f'<text x="{LEFT}" y="{TOP + idx * LINE}">{"".join(span(*piece) for piece in cut(line))}</text>')
    print("</g></svg>")


main()
