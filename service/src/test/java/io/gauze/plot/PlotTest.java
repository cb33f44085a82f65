package io.gauze.plot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class PlotTest {
  private static final Axis X = Axis.linear("x");
  private static final Axis Y = Axis.linear("y");

  private static Plot plot(Axis x, Axis y, Mark mark, Point... points) {
    return new Plot("A plot", x, y, List.of(Series.of("series", mark, List.of(points))));
  }

  private static Plot oneLine(Point... points) {
    return plot(X, Y, Mark.LINE, points);
  }

  /** The plots of the golden files, each of which a person has looked at. */
  private static Map<String, Plot> plots() {
    List<Point> rising =
        DoubleStream.of(0.1, 0.5, 1, 2, 5)
            .mapToObj(x -> new Point(x, 3 / x, 2.5 / x, 4 / x))
            .toList();
    Plot lines =
        new Plot(
            "Error of a fit against epsilon, with the 20th to 80th percentiles of 20 releases",
            Axis.log("epsilon"),
            Axis.log("error"),
            List.of(
                Series.of("corrected", Mark.LINE, rising),
                Series.of("published <not private>", Mark.LINE, rising.subList(0, 3))
                    .withColour(0)
                    .asDashed(),
                Series.of("without noise", Mark.POINTS, List.of(Point.of(1, 1), Point.of(2, 1)))));
    List<Point> heights =
        IntStream.range(0, 3).mapToObj(i -> new Point(i, i - 0.5, i - 0.75, i - 0.25)).toList();
    Plot bars =
        new Plot(
            "Bars",
            Axis.categories("data", List.of("wine", "california", "R&D")),
            Axis.linear("excess, %"),
            List.of(Series.of("one", Mark.BAR, heights), Series.of("two", Mark.BAR, heights)));
    Plot intervals =
        new Plot(
            "Intervals",
            Axis.categories(
                "coefficient",
                IntStream.range(0, 12).mapToObj(i -> "a long name of number " + i).toList()),
            Axis.linear("").between(-1, 1),
            List.of(
                Series.of("one", Mark.INTERVAL, heights),
                Series.of("two", Mark.INTERVAL, heights)));
    return new TreeMap<>(Map.of("lines", lines, "bars", bars, "intervals", intervals));
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  /** If a change to the drawing is wanted, look at the new picture before storing it. */
  @ParameterizedTest
  @ValueSource(strings = {"lines", "bars", "intervals"})
  void drawsTheStoredPicture(String name) throws IOException {
    try (InputStream in = PlotTest.class.getResourceAsStream(name + ".svg")) {
      byte[] golden = Objects.requireNonNull(in, name).readAllBytes();
      assertThat(plots().get(name).svg()).isEqualTo(new String(golden, StandardCharsets.UTF_8));
    }
  }

  @Test
  void isTheSameInEveryLocale() {
    Locale before = Locale.getDefault();
    String svg = plots().get("lines").svg();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(plots().get("lines").svg()).isEqualTo(svg);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void isWellFormedWhateverTheTextSays() throws Exception {
    String text = "<script>&\"'\u0001]]>";
    Series series = Series.of(text, Mark.LINE, List.of(Point.of(0, 0)));
    Axis x = Axis.categories(text, List.of(text));
    Document document = parse(new Plot(text, x, Axis.linear(text), List.of(series, series)).svg());
    assertThat(document.getElementsByTagName("script").getLength()).isZero();
    assertThat(document.getElementsByTagName("title").item(0).getTextContent())
        .isEqualTo("<script>&\"'\ufffd]]>");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "5, 5",
    "-1e100, 1e100",
    "1e-100, 2e-100",
    "1e15, 1000000000000001",
    "0, 1e-300"
  })
  void drawsAnyRange(double low, double high) throws Exception {
    String svg = oneLine(Point.of(low, high), Point.of(high, low)).svg();
    assertThat(svg).doesNotContain("NaN").doesNotContain("Infinity");
    assertThat(parse(svg).getElementsByTagName("circle").getLength()).isEqualTo(2);
    assertThat(parse(svg).getElementsByTagName("text").getLength()).isBetween(6, 25);
  }

  @ParameterizedTest
  @CsvSource({"1e-100, 1e100", "1e-3, 1e-3", "1, 4", "1, 40", "0.3, 1e6"})
  void drawsAnyLogarithmicRange(double low, double high) throws Exception {
    Plot plot =
        plot(Axis.log("x"), Axis.log("y"), Mark.POINTS, Point.of(low, high), Point.of(high, low));
    assertThat(plot.svg()).doesNotContain("NaN").doesNotContain("Infinity");
    assertThat(parse(plot.svg()).getElementsByTagName("text").getLength()).isBetween(6, 25);
  }

  @Test
  void keepsWhatLiesFarOutsideTheRangeNearTheFrame() {
    String svg = plot(X, Y.between(0, 1), Mark.LINE, Point.of(0, 0), Point.of(1, 1e99)).svg();
    assertThat(svg).contains("points=\"").doesNotContain("e99").doesNotContain("000000");
  }

  @Test
  void labelsOfTicksAreRoundAndTellThemApart() {
    assertThat(labels(X, 0, 1)).containsExactly("0", "0.2", "0.4", "0.6", "0.8", "1.0");
    assertThat(labels(X, -3, 12)).containsExactly("0", "5", "10");
    assertThat(labels(X, 0, 3e7))
        .containsExactly("0", "5e6", "1.0e7", "1.5e7", "2.0e7", "2.5e7", "3.0e7");
    assertThat(labels(X, 12_000, 30_000)).contains("15,000", "20,000");
    assertThat(labels(Axis.log("x"), 1, 1000))
        .containsExactly("1", "2", "5", "10", "20", "50", "100", "200", "500", "1,000");
    assertThat(labels(Axis.log("x"), 1e-5, 1e7)).contains("0.0001", "1", "1e6");
    assertThat(labels(Axis.log("x"), 1, 3)).containsExactly("1.0", "1.5", "2.0", "2.5", "3.0");
  }

  private static List<String> labels(Axis axis, double low, double high) {
    return new Span(low, high, axis).ticks().stream().map(Span.Tick::label).toList();
  }

  /** Long names side by side are slanted, though all together would fit. */
  @Test
  void showsEveryName() {
    List<String> names =
        List.of("age", "bmi", "x", "ward=surgery", "ward=icu", "ward=maternity", "emergency", "y");
    String svg = plot(Axis.categories("", names), Y, Mark.POINTS, Point.of(0, 1)).svg();
    assertThat(names).allSatisfy(name -> assertThat(svg).contains(">" + name + "</text>"));
  }

  @Test
  void refusesPointsThatCannotBeDrawn() {
    for (double value : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1e101}) {
      assertThatThrownBy(() -> Point.of(value, 0)).hasMessageStartingWith("x must be in");
      assertThatThrownBy(() -> Point.of(0, value)).hasMessageStartingWith("y must be in");
      assertThatThrownBy(() -> new Point(0, 0, value, 1)).hasMessageStartingWith("low must be in");
      assertThatThrownBy(() -> new Point(0, 0, 0, value)).hasMessageStartingWith("high must be in");
    }
    assertThatThrownBy(() -> new Point(0, 0, 2, 1))
        .hasMessage("low must be at most high, 1.0. Provided value: 2.0");
  }

  @Test
  void refusesSeriesThatSayNothing() {
    List<Point> points = List.of(Point.of(0, 0));
    assertThatThrownBy(() -> Series.of("s", Mark.LINE, List.of()))
        .hasMessage("points of series 's' must be at least 1. Provided value: 0");
    assertThatThrownBy(() -> Series.of(" ", Mark.LINE, points))
        .hasMessageContaining("not be blank");
    assertThatThrownBy(() -> Series.of("s", Mark.LINE, points).withColour(8))
        .hasMessage("colour must be in [0, 7]. Provided value: 8");
    assertThatThrownBy(() -> new Plot("t", X, Y, List.of()))
        .hasMessage("series must be at least 1. Provided value: 0");
    assertThatThrownBy(() -> new Plot("", X, Y, List.of(Series.of("s", Mark.LINE, points))))
        .hasMessageContaining("title must not be blank");
  }

  @Test
  void refusesAxesThatDoNotFit() {
    Axis names = Axis.categories("x", List.of("a", "b"));
    assertThatThrownBy(() -> Axis.categories("x", List.of())).hasMessageContaining("categories");
    assertThatThrownBy(() -> names.between(0, 1)).hasMessageStartingWith("range must be empty");
    assertThatThrownBy(() -> X.between(1, 1)).hasMessageStartingWith("low must be below high");
    assertThatThrownBy(() -> Axis.log("x").between(0, 1)).hasMessageContaining("must be > 0");
    assertThatThrownBy(() -> plot(X, names, Mark.LINE, Point.of(0, 0)))
        .hasMessageStartingWith("scale of the y axis must be LINEAR or LOG");
    assertThatThrownBy(() -> plot(X, Y, Mark.BAR, Point.of(0, 0)))
        .hasMessageEndingWith("Provided value: LINEAR and LINEAR");
    assertThatThrownBy(() -> plot(names, Y, Mark.BAR, Point.of(2, 0)))
        .hasMessageStartingWith("x on an axis of categories must be in [0, 1]");
    assertThatThrownBy(() -> plot(X, Axis.log("y"), Mark.LINE, Point.of(0, 0)))
        .hasMessageStartingWith("y on a logarithmic axis");
    assertThatThrownBy(() -> plot(X, Axis.log("y"), Mark.LINE, new Point(0, 1, 0, 2)))
        .hasMessageStartingWith("low on a logarithmic axis");
    assertThatThrownBy(() -> plot(Axis.log("x"), Y, Mark.LINE, Point.of(-1, 0)))
        .hasMessageStartingWith("x on a logarithmic axis");
  }
}
