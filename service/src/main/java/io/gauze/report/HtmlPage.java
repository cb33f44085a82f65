package io.gauze.report;

import io.gauze.internal.Checks;
import io.gauze.plot.Markup;
import java.util.List;
import java.util.Locale;

/**
 * A report as one page of HTML for people who did not give the command. The page holds no script,
 * loads nothing, follows the reader's choice of light or dark, and prints on paper. All texts are
 * escaped. Mutable, not thread-safe.
 */
public final class HtmlPage {
  private static final String STYLE =
      """
      :root{color-scheme:light dark;--page:#fff;--text:#1c1c1c;--soft:#5c6166;--line:#dcdfe2;--box:#f4f6f8;\
      --warn:#8a5a00;--warnbox:#fff6e0}
      @media (prefers-color-scheme:dark){:root{--page:#14171a;--text:#e8e8e8;--soft:#a4abb2;--line:#33383d;\
      --box:#1e2328;--warn:#f0c674;--warnbox:#2b2415}}
      *{box-sizing:border-box}
      body{margin:0;background:var(--page);color:var(--text);font:16px/1.55 system-ui,sans-serif}
      main{max-width:54rem;margin:0 auto;padding:2.5rem 1.25rem 4rem}
      h1{font-size:1.75rem;line-height:1.2;margin:0 0 .5rem}
      h2{font-size:1.1rem;margin:2.25rem 0 .6rem;padding-top:1.1rem;border-top:1px solid var(--line)}
      p{margin:.6rem 0}
      .lead{font-size:1.1rem;color:var(--soft);margin-bottom:1.25rem}
      .wide{overflow-x:auto;margin:1rem 0}
      .wide svg{width:100%;height:auto;min-width:34rem;display:block}
      table{border-collapse:collapse;width:100%;font-size:.94rem}
      th,td{padding:.4rem .7rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap;\
      font-variant-numeric:tabular-nums}
      th{color:var(--soft);font-weight:600}
      th:first-child,td:first-child{text-align:left;padding-left:0}
      td.prose{white-space:normal;text-align:left}
      td.prose:last-child{min-width:14rem}
      th.prose{text-align:left}
      .warn{background:var(--warnbox);border-left:4px solid var(--warn);padding:.6rem .9rem;margin:.6rem 0}
      pre{background:var(--box);padding:.8rem 1rem;margin:.6rem 0;border-radius:6px;white-space:pre-wrap;\
      overflow-wrap:anywhere;font:.9rem/1.5 ui-monospace,monospace}
      .small{color:var(--soft);font-size:.88rem;overflow-wrap:anywhere}
      footer{margin-top:3rem;padding-top:1rem;border-top:1px solid var(--line);color:var(--soft);font-size:.88rem}
      @media (max-width:40rem){body{font-size:15px}main{padding:1.5rem 1rem 3rem}table{font-size:.82rem}\
      th,td{padding:.35rem .4rem;white-space:normal}}
      @media print{main{padding:0;max-width:none}.wide,pre,.warn{break-inside:avoid}h2{break-after:avoid}\
      .wide{overflow:visible}.wide svg{min-width:0}}
      """;

  private final StringBuilder body = new StringBuilder();
  private final String title;

  /**
   * Begins a page.
   *
   * @param title the question that the page answers
   * @param lead the answer in a sentence or two
   */
  public HtmlPage(String title, String lead) {
    this.title = Checks.notBlank("title", title);
    body.append("<h1>").append(Markup.escape(title)).append("</h1>\n");
    body.append("<p class=\"lead\">").append(Markup.escape(lead)).append("</p>\n");
  }

  /** Begins a section. */
  public HtmlPage section(String heading) {
    body.append("<h2>").append(Markup.escape(heading)).append("</h2>\n");
    return this;
  }

  /** Adds a paragraph. */
  public HtmlPage text(String paragraph) {
    body.append("<p>").append(Markup.escape(paragraph)).append("</p>\n");
    return this;
  }

  /** Adds a paragraph that stands out. */
  public HtmlPage warning(String paragraph) {
    String sentence = paragraph.substring(0, 1).toUpperCase(Locale.ROOT) + paragraph.substring(1);
    String end = sentence.endsWith(".") ? "" : ".";
    body.append("<p class=\"warn\">").append(Markup.escape(sentence + end)).append("</p>\n");
    return this;
  }

  /** Adds a paragraph in small print. */
  public HtmlPage small(String paragraph) {
    body.append("<p class=\"small\">").append(Markup.escape(paragraph)).append("</p>\n");
    return this;
  }

  /**
   * Adds a plot.
   *
   * @param svg a document of {@link io.gauze.plot.Plot#svg}, which is not escaped
   */
  public HtmlPage plot(String svg) {
    body.append("<div class=\"wide\">\n").append(svg).append("</div>\n");
    return this;
  }

  /** Adds commands, one a line. */
  public HtmlPage commands(List<String> lines) {
    body.append("<pre>").append(Markup.escape(String.join("\n", lines))).append("</pre>\n");
    return this;
  }

  /**
   * Adds a table whose columns but the first are numbers.
   *
   * @param header the names of the columns
   * @param rows as long as the header
   */
  public HtmlPage table(List<String> header, List<List<String>> rows) {
    return table(header, rows, header.size());
  }

  /**
   * Adds a table.
   *
   * @param header the names of the columns
   * @param rows as long as the header
   * @param prose the first column of prose, which is broken into lines
   */
  public HtmlPage table(List<String> header, List<List<String>> rows, int prose) {
    body.append("<div class=\"wide\"><table>\n<thead><tr>");
    cells("th", header, prose);
    body.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : rows) {
      body.append("<tr>");
      cells("td", row, prose);
      body.append("</tr>\n");
    }
    body.append("</tbody></table></div>\n");
    return this;
  }

  private void cells(String kind, List<String> cells, int prose) {
    for (int i = 0; i < cells.size(); i++) {
      body.append('<').append(kind);
      body.append(i >= prose ? " class=\"prose\"" : "").append('>');
      body.append(Markup.escape(cells.get(i))).append("</").append(kind).append('>');
    }
  }

  /**
   * Returns the page.
   *
   * @param footer by what it was made
   */
  public String html(String footer) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        + "<meta http-equiv=\"Content-Security-Policy\""
        + " content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        + "<title>"
        + Markup.escape(title)
        + "</title>\n<style>\n"
        + STYLE
        + "</style>\n</head>\n<body>\n<main>\n"
        + body
        + "<footer>"
        + Markup.escape(footer)
        + "</footer>\n</main>\n</body>\n</html>\n";
  }
}
