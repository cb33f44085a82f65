package io.gauze.http.protocol;

import java.util.List;

/**
 * Answers in CSV. Their messages are in a header, too, for programs that read the numbers alone.
 */
public final class CsvReply {
  /** The header with the messages. */
  static final String HEADER = "Gauze-Messages";

  /** Servers and clients allow headers of 8 KiB in all. */
  private static final int MOST = 2000;

  private CsvReply() {}

  /** Returns an answer with a table and the messages of its fit, which the table has already. */
  public static Reply of(String table, List<String> messages) {
    Reply reply = Reply.text(Reply.CSV, table);
    return messages.isEmpty() ? reply : reply.with(HEADER, line(String.join(" | ", messages)));
  }

  /** Headers are ASCII, of one line. */
  private static String line(String text) {
    String ascii = text.replaceAll("[^ -~]", "?");
    return ascii.length() <= MOST ? ascii : ascii.substring(0, MOST) + "...";
  }
}
