package io.gauze.http.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.http.ConsoleIT;
import io.gauze.http.RunningService;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of the console, and what a browser is told of them. {@link ConsoleIT} uses them. */
final class ConsoleResourcesTest {
  private static final Path OWN = Path.of("src", "main", "resources", "io", "gauze", "console");

  @TempDir private Path folder;

  @Test
  void everyFileIsListed() throws IOException {
    try (Stream<Path> files = Files.list(OWN)) {
      List<String> names = files.map(file -> file.getFileName().toString()).sorted().toList();
      assertThat(names)
          .filteredOn(name -> !name.equals("index.html"))
          .isEqualTo(ConsoleFiles.OWN_FILES);
    }
  }

  /** Only the import map is inline, and no file names another host. */
  @Test
  void nothingComesFromElsewhere() throws IOException {
    for (String name : ConsoleFiles.OWN_FILES) {
      assertThat(Files.readString(OWN.resolve(name)))
          .as(name)
          .doesNotContainPattern("https?://(?!www\\.w3\\.org/2000/svg)")
          .doesNotContain("innerHTML", "dangerouslySetInnerHTML", "eval(");
    }
  }

  @Test
  void isCachedAndGuarded() throws Exception {
    try (RunningService service = RunningService.start(folder, Optional.of("secret"))) {
      HttpResponse<String> page = service.get("/"); // without the token
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
          .startsWith("default-src 'none'; script-src 'self' 'sha256-")
          .doesNotContain("unsafe");
      assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(page.headers().firstValue("Referrer-Policy")).contains("no-referrer");
      String tag = page.headers().firstValue("ETag").orElseThrow();
      assertThat(service.get("/", "If-None-Match", tag).statusCode()).isEqualTo(304);
      Matcher link = Pattern.compile("(?:src|href)=\"(console/[^\"]*)\"").matcher(page.body());
      int links = 0;
      for (; link.find(); links++) {
        HttpResponse<String> file = service.get("/" + link.group(1));
        assertThat(file.statusCode()).as(link.group(1)).isEqualTo(200);
        assertThat(file.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
        tag = file.headers().firstValue("ETag").orElseThrow();
        assertThat(service.get("/" + link.group(1), "If-None-Match", tag).statusCode())
            .isEqualTo(304);
      }
      assertThat(links).isEqualTo(5);
      assertThat(service.get("/console/0000000000000000/main.js").statusCode()).isEqualTo(404);
      assertThat(service.get("/?x=1").statusCode()).isEqualTo(400);
    }
  }
}
