"""Configuration of the documentation site."""

import sys
from pathlib import Path

from flexura.version import __version__

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "Flexura"
author = "the Flexura developers"
copyright = "the Flexura developers"
release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinxcontrib.bibtex",
    # of our own: pages made from the package and the examples, output of the code of guides, links made from citations
    "catalogue",
    "citations",
    "executed",
    "gallery",
    "ledger",
    "mathml",
    "public_names",
]
exclude_patterns = ["_build", "guides/generated", "start/generated"]
nitpicky = False

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "plain"
bibtex_reference_style = "author_year"

autodoc_member_order = "bysource"
autodoc_typehints = "none"
maximum_signature_line_length = 90

html_math_renderer = "mathml"
html_theme = "furo"
html_title = "Flexura"
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["flexura.css"]
html_js_files = ["formulas.js"]
