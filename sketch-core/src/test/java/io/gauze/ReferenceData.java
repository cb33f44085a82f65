package io.gauze;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** The folder of real data and of the answers that other software computed from them. */
public final class ReferenceData {
  private ReferenceData() {}

  /** The folder; skips the test if there is none. */
  public static Path folder() {
    String property = System.getProperty("gauze.data", "");
    Path folder = Path.of(property.isBlank() ? "missing" : property);
    Assumptions.assumeTrue(
        Files.isDirectory(folder.resolve("oracles")),
        "no reference data: GAUZE_DATA names no folder that has them");
    return folder;
  }
}
