package io.gauze.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What is in the jar for Flink, and what is not. */
final class SqlJarIT {
  private static final Path JAR = Path.of("target", "gauze-flink-sql.jar");

  /** What Flink and its connectors have, what is for the service, and signatures of other jars. */
  private static final String STRANGER =
      "(org/apache/(flink|kafka|logging)|org/slf4j|org/eclipse/jetty|io/prometheus|kafka"
          + "|com/fasterxml|org/apache/(avro|commons)|io/gauze/(audit|http|topic|job|cli))/.*"
          + "|META-INF/[^/]*\\.(SF|DSA|RSA)|.*module-info\\.class";

  private static List<String> names() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      return jar.stream().map(ZipEntry::getName).filter(name -> !name.endsWith("/")).toList();
    }
  }

  @Test
  void itHasWhatQueriesNeed() throws IOException {
    assertThat(names())
        .contains(
            "io/gauze/sql/FitFunction.class",
            "io/gauze/fit/BestFit.class",
            "io/gauze/shaded/avro/Schema.class",
            "io/gauze/shaded/jackson/databind/ObjectMapper.class",
            "com/github/luben/zstd/ZstdInputStreamNoFinalizer.class",
            "linux/amd64/libzstd-jni-1.5.6-10.so",
            "META-INF/services/org.apache.flink.table.factories.Factory",
            "META-INF/LICENSE",
            "META-INF/NOTICE")
        .doesNotHaveDuplicates();
  }

  @Test
  void itHasNothingThatFlinkBringsOrThatIsForTheService() throws IOException {
    assertThat(names().stream().filter(name -> name.matches(STRANGER))).isEmpty();
  }

  @Test
  void mechanismsAreFound() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      ZipEntry entry = jar.getEntry("META-INF/services/io.gauze.mechanism.MechanismProvider");
      String text = new String(jar.getInputStream(entry).readAllBytes(), UTF_8);

      assertThat(text.lines().filter(line -> !line.isBlank())).hasSizeGreaterThan(10);
    }
  }

  @Test
  void licencesAreThere() throws IOException {
    List<String> names = names();
    try (Stream<Path> texts = Files.list(Path.of("..", "licenses"))) {
      assertThat(texts.map(text -> "META-INF/licenses/" + text.getFileName()))
          .isNotEmpty()
          .allMatch(names::contains);
    }
  }
}
