package io.gauze.benchmarks;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.FileUtils;

/**
 * A folder for the files of a run, which {@link #close} deletes with all that is in it.
 *
 * @param path the folder
 */
record TemporaryFolder(Path path) implements Closeable {
  static TemporaryFolder create(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  @Override
  public void close() throws IOException {
    FileUtils.deleteDirectory(path.toFile());
  }
}
