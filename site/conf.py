"""How Sphinx makes the site; site/build calls it."""
project = "Gauze"
html_title = "Gauze"
extensions = ["myst_parser"]
myst_heading_anchors = 4
html_theme = "furo"
html_favicon = "icon.svg"
html_static_path = ["site.css"]
html_css_files = ["site.css"]
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
highlight_language = "text"
pygments_style = "default"
