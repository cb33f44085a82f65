package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar of the service, and what it brings along. */
final class ServiceJarIT {
  private static final Pattern STRANGER =
      Pattern.compile("(flink-|kafka_2|kafka-(metadata|raft|server|group)|scala-|picocli).*");

  @Test
  void holdsTheServiceAlone() throws IOException {
    List<String> names;
    try (JarFile jar = new JarFile(jar().toFile())) {
      names = jar.stream().map(ZipEntry::getName).filter(name -> !name.endsWith("/")).toList();
    }
    assertThat(names).contains("io/gauze/fit/FitQuestion.class", "io/gauze/answer/Solver.class");
    assertThat(names).allMatch(name -> name.matches("(io/gauze|META-INF)/.*"));
    assertThat(names).noneMatch(name -> name.startsWith("io/gauze/row/"));
  }

  @Test
  void bringsNeitherFlinkNorABroker() {
    List<String> jars =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> Path.of(entry).getFileName().toString())
            .toList();
    assertThat(jars).anyMatch(name -> name.startsWith("kafka-clients-"));
    assertThat(jars).noneMatch(STRANGER.asMatchPredicate());
  }

  private static Path jar() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      return files
          .filter(
              file -> file.getFileName().toString().matches("service-[0-9][^-]*(-SNAPSHOT)?\\.jar"))
          .findFirst()
          .orElseThrow();
    }
  }
}
