package io.gauze.local;

import java.nio.file.Path;

/** Folders of this machine, as Flink's settings name them. */
public final class FlinkPath {
  private FlinkPath() {}

  /** The folder as a URI whose path is not escaped: Flink would take "%20" for three characters. */
  public static String of(Path folder) {
    return org.apache.flink.core.fs.Path.fromLocalFile(folder.toFile()).toString();
  }
}
