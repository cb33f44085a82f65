package io.gauze.local;

import java.nio.file.Path;

/** Converts folders of this machine to the form of Flink's settings. */
public final class FlinkPath {
  private FlinkPath() {}

  /** Returns the folder as a URI whose path is not escaped, since Flink does not unescape "%20". */
  public static String of(Path folder) {
    return org.apache.flink.core.fs.Path.fromLocalFile(folder.toFile()).toString();
  }
}
