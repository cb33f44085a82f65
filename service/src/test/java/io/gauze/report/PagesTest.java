package io.gauze.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.answer.SmallReleases;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.FitSource;
import io.gauze.message.Message;
import io.gauze.release.Release;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** Reports as pages: complete, escaped, without script, and without anything to load. */
final class PagesTest {
  private static final Pattern ADDRESS = Pattern.compile("https?:[^\"' )<]+|url\\(|@import");

  private static FitReport fit(List<Release> releases) {
    FitQuestion question = FitQuestion.byAllOthers("y");
    return BestFit.of(List.of(FitSource.of(releases)), question).report(true, 0.9);
  }

  /** Parses the page as XML, which its form allows but for two void elements. */
  private static Document parsed(String page) throws Exception {
    String xml = page.replace("<!doctype html>", "").replaceAll("<meta ([^>]*)>", "<meta $1/>");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static List<String> texts(Document page, String element) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < page.getElementsByTagName(element).getLength(); i++) {
      texts.add(page.getElementsByTagName(element).item(i).getTextContent());
    }
    return texts;
  }

  private static void standsAlone(String page) throws Exception {
    assertThat(parsed(page).getElementsByTagName("script").getLength()).isZero();
    assertThat(ADDRESS.matcher(page).results().map(MatchResult::group).distinct())
        .containsExactly("http://www.w3.org/2000/svg"); // a name, which nobody loads
    assertThat(page)
        .contains("default-src 'none'", "prefers-color-scheme:dark", "@media print")
        .doesNotContain(" src=", " href=", "javascript:");
  }

  @Test
  void aFitHasItsNumbersItsGuaranteeItsCostAndItsCommand() throws Exception {
    FitReport fit = fit(List.of(SmallReleases.hour(1), SmallReleases.hour(2)));

    String page = FitPage.of(fit, "./gauze fit --response 'a & b'", "Made by a test.");

    standsAlone(page);
    Document read = parsed(page);
    assertThat(texts(read, "h1")).containsExactly("What explains y");
    assertThat(texts(read, "h2"))
        .containsExactly(
            "The answer",
            "What is promised",
            "What it cost",
            "How to repeat it",
            "The whole guarantee");
    assertThat(texts(read, "th"))
        .containsExactly("term", "coefficient", "standard error", "90 % interval");
    assertThat(texts(read, "td")).hasSize(12).contains("(intercept)", "a", "b");
    assertThat(texts(read, "pre")).containsExactly("./gauze fit --response 'a & b'");
    assertThat(String.join(" ", texts(read, "p")))
        .contains("2 releases", fit.guarantee().path("summary").asText(), "(0 epsilon)")
        .contains("Merged from 2 releases");
    assertThat(fit.messages()).isNotEmpty();
    List<String> warnings = texts(read, "p");
    for (Message warning : fit.messages().subList(0, 1)) {
      assertThat(page).contains("<p class=\"warn\">");
      assertThat(warnings).anyMatch(text -> text.contains(warning.line()));
    }
  }

  @Test
  void textsAreEscaped() throws Exception {
    String bad = "<script>alert('1')</script> & \"q\" \u0007";
    HtmlPage page =
        new HtmlPage(bad, bad)
            .section(bad)
            .text(bad)
            .warning(bad)
            .small(bad)
            .commands(List.of(bad))
            .table(List.of(bad), List.of(List.of(bad)));

    Document read = parsed(page.html(bad));

    assertThat(read.getElementsByTagName("script").getLength()).isZero();
    String shown = bad.replace('\u0007', '\ufffd');
    for (String element : List.of("title", "h1", "h2", "pre", "th", "td", "footer")) {
      assertThat(texts(read, element)).as(element).containsOnly(shown);
    }
  }

  @Test
  void numbersHaveTheDigitsOfTheirErrors() {
    assertThat(Rounded.of(1.23456, 0.0123)).isEqualTo("1.235");
    assertThat(Rounded.of(-12345.6, 210)).isEqualTo("-12,346");
    assertThat(Rounded.of(1.5e-9, 2.5e-10)).isEqualTo("1.50e-09");
    assertThat(Rounded.of(0, 1e-12)).isEqualTo("0.0e+00");
    assertThat(Rounded.of(2.5, 0)).isEqualTo("2.500");
    assertThat(Rounded.of(2.5, Double.NaN)).isEqualTo("2.500");
    assertThat(Rounded.of(Double.NaN, 1)).isEqualTo("withheld");
  }
}
