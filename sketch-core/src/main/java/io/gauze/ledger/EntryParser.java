package io.gauze.ledger;

import io.gauze.mechanism.ReleaseId;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses entries, of which thousands differ only in id, hash and state. What follows these is
 * parsed once for all entries that have it in the same words. Not thread-safe.
 */
final class EntryParser {
  // No quote and no backslash is in the id, so its text is the id itself, and the head ends where
  // the three keys end.
  private static final Pattern HEAD =
      Pattern.compile(
          "\\{\"id\":\"([^\"\\\\]+)\",\"sha256\":\"([0-9a-f]{64})\",\"state\":\"(spent|published)\"");
  private static final String REST = ",\"series\":";

  private final Map<String, LedgerEntry> byRest = new HashMap<>();

  /**
   * Returns what {@link LedgerEntry#fromJson} returns.
   *
   * @throws IllegalArgumentException if it is not JSON, or a key is missing or out of range
   */
  LedgerEntry of(String json) {
    int end = json.indexOf(REST);
    Matcher head = HEAD.matcher(json);
    if (end < 0 || !head.region(0, end).matches()) {
      return LedgerEntry.fromJson(json);
    }
    String rest = json.substring(end);
    LedgerEntry like = byRest.get(rest);
    if (like != null) {
      return new LedgerEntry(
          ReleaseId.parse(head.group(1)),
          head.group(2),
          LedgerEntry.State.parse(head.group(3)),
          like.series(),
          like.guarantee(),
          like.terms());
    }
    LedgerEntry entry = LedgerEntry.fromJson(json);
    if (entry.toJson().equals(json)) { // so that the rest has each key once
      byRest.put(rest, entry);
    }
    return entry;
  }
}
