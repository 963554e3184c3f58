"""Styles for HTML emails.

Colors are inline, because some mail programs ignore style sheets. A style sheet defines fonts, and the sizes of titles,
small print, a board's cells and the offered moves. It overrides colors and sizes for dark mode and small screens. Rules
for cells name the table's class, because a class in each of a board's cells would make emails much larger.
"""

INK, PAPER, SHADE, EDGE, WOOD, FAINT = "#2b2620", "#ffffff", "#f6f2ea", "#d9cfbd", "#8a4b16", "#6d6456"
SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
MONO = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Courier New',monospace"
# A receipt is one word of 64 letters, so it must be broken. We don't use word-break, because it would also break words
# in tables, which can scroll instead.
BREAK = "word-wrap:break-word;overflow-wrap:break-word"
ASIDE = "overflow-x:auto"
"""Makes a box scroll on its own if it is wider than the screen."""
SMALL = f"color:{FAINT}"
CODE = f"{MONO};font-size:14px;background:{SHADE};color:{INK};padding:2px 6px;border-radius:3px"
LINE_BELOW = f"border-bottom:1px solid {EDGE}"
CELL = f"{SANS};font-size:14px;color:{INK};{LINE_BELOW}"
BUTTON = f"{SANS};font-size:15px;font-weight:bold;color:#ffffff;text-decoration:none;display:inline-block"

STYLES = f"""<style>
.block,.squares .beside,.entries td,.entries th{{{SANS}}}
.squares td,.squares th,.offers a,.offers span{{{MONO}}}
.block{{font-size:16px;line-height:1.5}}
.small{{font-size:13px;line-height:1.5}}
.heading{{font-size:13px;font-weight:bold;text-transform:uppercase;letter-spacing:1px;padding:0 0 6px 0}}
.block li{{margin:0 0 2px 0}}
.squares td,.squares th{{font-size:12px;line-height:26px;width:28px;min-width:22px;padding:0;text-align:center}}
.squares td{{background:{SHADE};color:{INK}}}
.squares .beside{{font-size:13px;width:auto;min-width:0;text-align:left;padding:0 6px;white-space:nowrap}}
.squares .beside{{background:none;color:inherit}}
.beside{{font-weight:normal}}
.entries td,.entries th{{font-size:14px;font-weight:normal;text-align:center;padding:4px 7px;{LINE_BELOW}}}
.entries .first{{padding:4px 10px 4px 0;text-align:left;white-space:nowrap}}
.entries .words{{text-align:left}}
.offers td{{padding:3px 12px 3px 0}}
.offers a,.offers span{{font-size:13px;padding:2px 6px;border-radius:3px;background:{SHADE}}}
.offers a{{color:{WOOD}}}
.offers a,.offers .move{{font-size:14px;font-weight:bold;white-space:nowrap}}
@media (max-width:480px){{
.block{{padding-left:10px!important;padding-right:10px!important}}
.offers a,.offers .move{{white-space:normal}}
.squares{{border-spacing:1px}}
.squares td,.squares th{{font-size:10px;line-height:20px;min-width:16px;width:auto}}
.squares .beside{{font-size:11px;line-height:26px;min-width:0;padding:0 2px}}
.entries td,.entries th,.entries .first{{font-size:12px;padding:3px}}
.score{{font-size:12px!important;padding-right:6px!important}}
}}
@media (prefers-color-scheme:dark){{
.shade{{background:#191612!important}}
.paper{{background:#25201a!important;border-color:#4d4437!important}}
.ink{{color:#efe7da!important}}
.edge{{border-color:#4d4437!important}}
.entries td,.entries th{{border-color:#4d4437}}
.squares td{{background:#38312a;color:#efe7da}}
.code,.offers a,.offers span{{background:#38312a!important;color:#efe7da!important}}
.title{{color:#e3a86f!important}}
.faint{{color:#b8ac98!important}}
}}
</style>"""
