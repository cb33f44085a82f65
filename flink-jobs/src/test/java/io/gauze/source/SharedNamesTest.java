package io.gauze.source;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.RowRejectedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * All JSON parsers share a table of names. A record with many names of one hash must not change
 * whether another record, or a key, can be read.
 */
final class SharedNamesTest {
  private static final int NAMES = 600;
  private static final int ROWS = 2000;

  /**
   * Names of eight characters with one hash in the parser's table, and one more. The parser hashes
   * two words of four bytes: it multiplies the first, adds the second, and so two names collide if
   * what the seed is combined with is the same.
   */
  private static List<String> colliding() {
    Map<Integer, List<String>> byHash = new HashMap<>();
    for (int i = 0; i < 3_000_000; i++) {
      String name = String.format("%08x", i * 2654435761L & 0xffffffffL);
      List<String> same = byHash.computeIfAbsent(hash(name), key -> new ArrayList<>());
      same.add(name);
      if (same.size() > NAMES) {
        return same;
      }
    }
    throw new AssertionError("no names of one hash");
  }

  private static int hash(String name) {
    return word(name, 0) * 31 + word(name, 4);
  }

  private static int word(String name, int at) {
    byte[] bytes = name.getBytes(UTF_8);
    return bytes[at] << 24 | bytes[at + 1] << 16 | bytes[at + 2] << 8 | bytes[at + 3];
  }

  @Test
  void aRecordOfManyNamesChangesNothingForOthers() throws RowRejectedException {
    assertThat(colliding()).hasSizeGreaterThan(NAMES);
  }
}
