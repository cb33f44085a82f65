package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.Main;
import io.gauze.source.file.SmartMeters;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The streams of {@code gauze demo} and {@code gauze up}, and the rows that are made up for them.
 */
final class MadeUpMetersTest {
  private static final int ROWS = 60_000;
  private static final double FAULTY = 0.005;
  private static final String FROM_NOBODY = "{name: occupants, lower: 0, upper: 8}";
  private static final String FROM_ONE = "{name: occupants, lower: 1, upper: 8}";

  @TempDir private Path folder;
  private Path csv;

  @BeforeEach
  void write() throws IOException {
    List<String> lines = new ArrayList<>();
    SmartMeters meters = new SmartMeters(ROWS, FAULTY, 1);
    while (meters.hasNext()) {
      JsonNode row = JsonMapper.builder().build().readTree(meters.next());
      if (lines.isEmpty()) {
        row.fieldNames().forEachRemaining(lines::add);
        String header = String.join(",", lines);
        lines.clear();
        lines.add(header);
      }
      lines.add(
          row.properties().stream()
              .map(each -> each.getValue().asText())
              .collect(Collectors.joining(",")));
    }
    csv = Files.write(folder.resolve("rows.csv"), lines);
  }

  private static String config(String resource) throws IOException {
    try (InputStream text = Main.class.getResourceAsStream(resource)) {
      return new String(text.readAllBytes(), UTF_8);
    }
  }

  /** The warnings of the fit of what each reading used, on a release of all rows. */
  private String warnings(String yaml, String stream) throws IOException {
    Path config = Files.writeString(folder.resolve("stream.yaml"), yaml);
    DemoIT.Outcome sketched =
        DemoIT.run(
            "sketch",
            "--config",
            config.toString(),
            "--csv",
            csv.toString(),
            "--out",
            folder.toString());
    assertThat(sketched.status()).as(sketched.err()).isZero();
    Path release = folder.resolve(stream + "-all-all-moments.avro");
    DemoIT.Outcome fit =
        DemoIT.run("fit", "--release", release.toString(), "--response", "kwh", "--format", "json");
    assertThat(fit.status()).as(fit.err()).isZero();
    return JsonMapper.builder().build().readTree(fit.out()).get("messages").toString();
  }

  /** Nobody can mend the config of made-up rows, so that a warning would mislead. */
  @ParameterizedTest
  @CsvSource({"/io/gauze/demo/demo.yaml, smart-meters", "/io/gauze/cli/rows/up.yaml, meters"})
  void aFitOfThemHasNoWarning(String resource, String stream) throws IOException {
    String yaml = config(resource);
    assertThat(yaml).contains(FROM_NOBODY);
    assertThat(warnings(yaml, stream)).isEqualTo("[]");
  }

  /** Occupants begin at 1, where most of them are: that looks as if values were clamped there. */
  @Test
  void aCountWhoseRangeBeginsAtItsFirstValueHasOne() throws IOException {
    String yaml = config("/io/gauze/demo/demo.yaml").replace(FROM_NOBODY, FROM_ONE);
    assertThat(warnings(yaml, "smart-meters"))
        .contains("GZ-CLAMPED", "Many values of occupants lie near the lower end of its range, 1,");
  }
}
