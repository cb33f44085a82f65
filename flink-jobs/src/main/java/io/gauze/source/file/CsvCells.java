package io.gauze.source.file;

import io.gauze.row.RowRejectedException;
import java.util.Arrays;

/**
 * Splits a line of separated values (RFC 4180) into its cells. Blanks around a value are not part
 * of it unless it is quoted. A quote inside of a value that does not begin with one is a character
 * of it. Reused for every line, not thread-safe; allocates nothing for a line that is not longer
 * than the ones before.
 */
final class CsvCells {
  private static final int NONE = -1;

  private final char separator;
  private char[] text = new char[256];
  private int end;
  private int count;
  private int[] from = new int[16];
  private int[] to = new int[16];
  private int quoteAt = NONE; // where a quoted value goes on with the next line
  private int kept; // the end of its characters so far

  CsvCells(char separator) {
    this.separator = separator;
  }

  /**
   * Splits a line.
   *
   * @param line its first {@code length} characters are copied
   * @return false if a quote is not closed; {@link #goOn} can then add the next line to the value
   * @throws RowRejectedException if text follows a closing quote
   */
  boolean split(char[] line, int length) throws RowRejectedException {
    end = 0;
    append(line, length);
    count = 0;
    quoteAt = NONE;
    return cells(0);
  }

  /**
   * Adds a line break and a line to a value whose quote is not closed.
   *
   * @return false if it is still not closed
   * @throws RowRejectedException if text follows a closing quote
   */
  boolean goOn(char[] line, int length) throws RowRejectedException {
    append(new char[] {'\n'}, 1);
    append(line, length);
    int next = quoted(quoteAt);
    return next != NONE && cells(next);
  }

  private void append(char[] line, int length) {
    if (end + length > text.length) {
      text = Arrays.copyOf(text, Math.max(2 * text.length, end + length));
    }
    System.arraycopy(line, 0, text, end, length);
    end += length;
  }

  /** Reads the cells from {@code next} on; returns false if the last one has an open quote. */
  private boolean cells(int next) throws RowRejectedException {
    int at = next;
    while (at <= end) {
      at = cell(at);
      if (at == NONE) {
        return false;
      }
    }
    return true;
  }

  /** Reads a cell, and returns where the next one begins. */
  private int cell(int start) throws RowRejectedException {
    int first = start;
    while (first < end && isBlank(text[first])) {
      first++;
    }
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
    }
    if (first < end && text[first] == '"') {
      from[count] = first + 1;
      kept = first + 1;
      return quoted(first + 1);
    }
    return plain(first);
  }

  private int plain(int first) {
    int at = first;
    while (at < end && text[at] != separator) {
      at++;
    }
    int last = at;
    while (last > first && isBlank(text[last - 1])) {
      last--;
    }
    from[count] = first;
    to[count++] = last;
    return at + 1;
  }

  /** Reads a quoted value on from {@code start}; doubled quotes become single ones, in place. */
  private int quoted(int start) throws RowRejectedException {
    int at = start;
    while (at < end && (text[at] != '"' || (at + 1 < end && text[at + 1] == '"'))) {
      at += text[at] == '"' ? 1 : 0;
      text[kept++] = text[at++];
    }
    if (at == end) {
      quoteAt = at;
      return NONE;
    }
    to[count++] = kept;
    at++;
    while (at < end && isBlank(text[at])) {
      at++;
    }
    if (at < end && text[at] != separator) {
      throw new RowRejectedException(
          "there is text after a closing quote; double quotes that are part of a value");
    }
    return at + 1;
  }

  private boolean isBlank(char c) {
    return (c == ' ' || c == '\t') && c != separator;
  }

  /** The number of characters of the line, or of the lines. */
  int length() {
    return end;
  }

  /** The number of cells, at least 1. */
  int count() {
    return count;
  }

  /** Returns a cell. */
  String value(int cell) {
    return new String(text, from[cell], to[cell] - from[cell]);
  }
}
