"""Styles for HTML email. Colors are inline, because many mail programs ignore style sheets. The style sheet
overrides them by class for dark mode and small screens."""

INK, PAPER, SHADE, EDGE, WOOD, FAINT = "#2b2620", "#ffffff", "#f6f2ea", "#d9cfbd", "#8a4b16", "#6d6456"
SANS = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
MONO = "font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono','Courier New',monospace"
# A receipt is one word of 64 letters, which must be broken. Not with word-break, which would also break words in
# tables; those can scroll.
BODY = f"{SANS};font-size:16px;line-height:1.5;color:{INK};word-wrap:break-word;overflow-wrap:break-word"
ASIDE = "overflow-x:auto"
"""Makes a box scroll on its own if it is wider than the screen."""
TITLE = f"{SANS};font-size:13px;font-weight:bold;color:{WOOD};text-transform:uppercase;letter-spacing:1px"
SMALL = f"{SANS};font-size:13px;line-height:1.5;color:{FAINT}"
CODE = f"{MONO};font-size:14px;background:{SHADE};color:{INK};padding:2px 6px;border-radius:3px"
CELL = f"{SANS};font-size:14px;color:{INK};border-bottom:1px solid {EDGE}"
BUTTON = f"{SANS};font-size:15px;font-weight:bold;color:#ffffff;text-decoration:none;display:inline-block"

STYLES = """<style>
@media (max-width:480px) {
.block { padding-left:10px !important; padding-right:10px !important }
.code { white-space:normal !important }
.squares { border-spacing:1px !important }
.square { font-size:10px !important; line-height:20px !important; width:auto !important; min-width:16px !important }
.beside { font-size:11px !important; padding:0 2px !important }
.entry { font-size:12px !important; padding:3px 3px !important }
.score { font-size:12px !important; padding-right:6px !important }
}
@media (prefers-color-scheme:dark) {
.shade { background:#191612 !important }
.paper { background:#25201a !important; border-color:#4d4437 !important }
.ink { color:#efe7da !important }
.edge { border-color:#4d4437 !important }
.code { background:#38312a !important; color:#efe7da !important; border-color:#4d4437 !important }
.title { color:#e3a86f !important }
.faint { color:#b8ac98 !important }
}
</style>"""
