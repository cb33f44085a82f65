package io.gauze.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Which files others than their owner can reach. */
public final class OwnersFiles {
  private static final Set<PosixFilePermission> OTHERS =
      Set.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private OwnersFiles() {}

  /** The files and folders below {@code folder} that have any right for others. */
  public static List<Path> openToOthers(Path folder) throws IOException {
    List<Path> open = new ArrayList<>();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path file : tree.toList()) {
        if (!file.equals(folder) && isOpen(file)) {
          open.add(file);
        }
      }
    }
    return open;
  }

  /** Whether others than its owner have any right on this file. */
  public static boolean isOpen(Path file) throws IOException {
    return Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains);
  }
}
