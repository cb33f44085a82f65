package io.gauze.http.resource;

import io.gauze.answer.ReleaseHash;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of the console, read once from the class path: its own modules, and those of two
 * libraries from their jars. Their path contains a hash of all of them, so that a browser can keep
 * each for ever.
 */
final class ConsoleFiles {
  private static final String OWN = "/io/gauze/console/";
  private static final String JARS = "/META-INF/resources/webjars/";
  private static final int HASH_DIGITS = 16;
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

  /** The console's own files; a test compares them with the folder. */
  static final List<String> OWN_FILES =
      List.of(
          "api.js",
          "budget.js",
          "changes.js",
          "charts.js",
          "commands.js",
          "console.css",
          "controls.js",
          "download.js",
          "effects.js",
          "events.js",
          "explorer.js",
          "form.js",
          "format.js",
          "gaussian.js",
          "icon.svg",
          "main.js",
          "overtime.js",
          "path.js",
          "planner.js",
          "question.js",
          "releases.js",
          "results.js",
          "shell.css",
          "state.js",
          "streams.js",
          "theme.js",
          "ui.js");

  private static final Map<String, String> LIBRARIES =
      Map.of(
          "preact.js", "preact/10.28.0/dist/preact.module.js",
          "hooks.js", "preact/10.28.0/hooks/dist/hooks.module.js",
          "uplot.js", "uplot/1.6.30/dist/uPlot.esm.js",
          "uplot.css", "uplot/1.6.30/dist/uPlot.min.css");

  private static final Map<String, String> TYPES =
      Map.of(
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");

  private final Map<String, byte[]> files = new LinkedHashMap<>();
  private final String hash;
  private final byte[] page;
  private final String policy;

  ConsoleFiles() {
    OWN_FILES.forEach(name -> files.put(name, read(OWN + name)));
    LIBRARIES.keySet().stream()
        .sorted()
        .forEach(name -> files.put(name, withoutMap(read(JARS + LIBRARIES.get(name)))));
    byte[] template = read(OWN + "index.html");
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    files.values().forEach(all::writeBytes);
    all.writeBytes(template);
    hash = ReleaseHash.of(all.toByteArray()).substring(0, HASH_DIGITS);
    String text = new String(template, StandardCharsets.UTF_8).replace("{base}", "console/" + hash);
    page = text.getBytes(StandardCharsets.UTF_8);
    policy = policy(text);
  }

  /** Only own files and the import map as it stands in the page; no other host, no inline style. */
  private static String policy(String page) {
    Matcher map = IMPORT_MAP.matcher(page);
    if (!map.find()) {
      throw new IllegalStateException("the console's page has no import map");
    }
    return "default-src 'none'; script-src 'self' 'sha256-"
        + sha256(map.group(1))
        + "'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action"
        + " 'none'; frame-ancestors 'none'";
  }

  private static String sha256(String text) {
    try {
      return Base64.getEncoder()
          .encodeToString(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static byte[] read(String path) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(path)) {
      if (in == null) {
        throw new IllegalStateException("the class path lacks " + path);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Leaves out the line that names a source map, which is not served. */
  private static byte[] withoutMap(byte[] source) {
    String text = new String(source, StandardCharsets.UTF_8);
    return text.replaceFirst("//# sourceMappingURL=\\S+\\s*$", "").getBytes(StandardCharsets.UTF_8);
  }

  /** The hash of all files, a part of their paths. */
  String hash() {
    return hash;
  }

  /** The page. */
  byte[] page() {
    return page;
  }

  /** The Content-Security-Policy of the page. */
  String policy() {
    return policy;
  }

  /** The names of all files. */
  List<String> names() {
    return List.copyOf(files.keySet());
  }

  /** A file; empty if there is none of this name. */
  Optional<byte[]> file(String name) {
    return Optional.ofNullable(files.get(name));
  }

  /** The media type of a file. */
  static String type(String name) {
    return TYPES.get(name.substring(name.lastIndexOf('.') + 1));
  }
}
