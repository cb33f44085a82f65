package io.gauze.source.format;

import com.fasterxml.jackson.core.io.NumberInput;
import io.gauze.row.RowRejectedException;
import io.gauze.source.Change;
import io.gauze.source.JsonFault;
import io.gauze.source.RecordDecoder;
import io.gauze.source.RecordSize;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A decoder of rows that are lines of comma-separated values (RFC 4180, UTF-8, no header, with or
 * without a line end). Blanks around a value are not part of it unless it is quoted; an empty value
 * or {@code NA} is missing, unless {@code NA} is a category of the column. Not thread-safe. Cost:
 * one pass over the text.
 */
final class CsvRowDecoder implements RecordDecoder {
  private static final char BYTE_ORDER_MARK = '\ufeff';

  private final RowFields fields;
  private final char separator;
  private final int[] fieldOf; // by position in the line
  private final String header; // the line that names the columns
  private final CharsetDecoder utf8 =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);
  private CharBuffer buffer = CharBuffer.allocate(256);
  private char[] text = buffer.array();
  private int end;

  CsvRowDecoder(List<String> columns, char separator, RowFields fields) {
    this.fields = fields;
    this.separator = separator;
    this.fieldOf = columns.stream().mapToInt(fields::index).toArray();
    this.header = String.join(String.valueOf(separator), columns);
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    before.clear();
    after.clear();
    RecordSize.check(value, "one line of values");
    JsonFault.checkStart(value, "text");
    read(value);
    after.begin();
    int begin = end > 0 && text[0] == BYTE_ORDER_MARK ? 1 : 0;
    if (fieldOf.length > 1 && isHeader(begin)) {
      after.clear();
      throw new RowRejectedException(
          "the line holds the names of the columns; send rows without a header");
    }
    try {
      values(begin, after);
    } catch (RowRejectedException e) {
      after.clear();
      throw begin + 1 < end && text[begin] == '{' && text[begin + 1] == '"'
          ? new RowRejectedException("JSON, not separated values; use format json, or send lines")
          : e;
    }
    return Change.INSERT;
  }

  private void values(int begin, RowImage image) throws RowRejectedException {
    int column = 0;
    for (int at = value(begin, column++, image); at < end; at = value(at + 1, column++, image)) {
      // the character at this index is a separator
    }
    if (column != fieldOf.length) {
      throw new RowRejectedException(
          "the line has "
              + column
              + " values and the config names "
              + fieldOf.length
              + " columns; send all of them, in the order of the config");
    }
  }

  private void read(byte[] value) throws RowRejectedException {
    if (buffer.capacity() < value.length) {
      buffer = CharBuffer.allocate(Math.max(value.length, 2 * buffer.capacity()));
      text = buffer.array();
    }
    buffer.clear();
    ByteBuffer bytes = ByteBuffer.wrap(value);
    if (utf8.reset().decode(bytes, buffer, true).isError()) {
      throw JsonFault.notUtf8(value, bytes.position(), "text");
    }
    end = buffer.position();
    end -= end > 0 && text[end - 1] == '\n' ? 1 : 0;
    end -= end > 0 && text[end - 1] == '\r' ? 1 : 0;
  }

  /** Returns whether the line from {@code begin} on is the header of a file, quoted or not. */
  private boolean isHeader(int begin) {
    int next = 0;
    for (int at = begin; at < end; at++) {
      if (text[at] == '"' || isBlank(text[at])) {
        continue;
      }
      while (next < header.length() && isBlank(header.charAt(next))) {
        next++;
      }
      if (next == header.length() || text[at] != header.charAt(next++)) {
        return false;
      }
    }
    return next == header.length();
  }

  /** Reads the value that begins at {@code start}, and returns the index of its end. */
  private int value(int start, int column, RowImage image) throws RowRejectedException {
    int field = column < fieldOf.length ? fieldOf[column] : -1;
    int first = start;
    while (first < end && isBlank(text[first])) {
      first++;
    }
    return first < end && text[first] == '"'
        ? quoted(first + 1, field, image)
        : plain(first, field, image);
  }

  private int plain(int first, int field, RowImage image) throws RowRejectedException {
    int at = first;
    while (at < end && text[at] != separator) {
      if (text[at] == '"') {
        throw at(at, "a quote inside of a value; quote the value and double the quote");
      }
      if (text[at] == '\n' || text[at] == '\r') {
        throw at(at, "a second line; send one line a record");
      }
      at++;
    }
    int last = at;
    while (last > first && isBlank(text[last - 1])) {
      last--;
    }
    take(first, last, field, image);
    return at;
  }

  private int quoted(int first, int field, RowImage image) throws RowRejectedException {
    int to = first; // doubled quotes become single ones, in place
    int at = first;
    for (; at < end; at++) {
      if (text[at] == '"') {
        if (at + 1 >= end || text[at + 1] != '"') {
          break;
        }
        at++;
      }
      text[to++] = text[at];
    }
    if (at >= end) {
      throw at(end, "a quote that is not closed; close it");
    }
    take(first, to, field, image);
    at++;
    while (at < end && isBlank(text[at])) {
      at++;
    }
    if (at < end && text[at] != separator) {
      throw at(at, "text after a closing quote; double quotes that are part of a value");
    }
    return at;
  }

  private boolean isBlank(char c) {
    return (c == ' ' || c == '\t') && c != separator;
  }

  private static RowRejectedException at(int place, String what) {
    return new RowRejectedException(
        "not comma-separated values (RFC 4180), at character " + place + ": " + what);
  }

  private void take(int first, int last, int field, RowImage image) {
    if (field < 0) {
      return;
    }
    boolean missing =
        last == first
            || (last - first == 2
                && text[first] == 'N'
                && text[first + 1] == 'A'
                && !fields.knows(field, "NA"));
    if (missing) {
      image.missing(field);
    } else if (!fields.wantsNumber(field)) {
      image.text(field, new String(text, first, last - first));
    } else if (looksLikeNumber(first, last)) {
      number(first, last, field, image);
    } else {
      image.text(field, new String(text, first, last - first)); // the column refuses it
    }
  }

  private void number(int first, int last, int field, RowImage image) {
    try {
      image.number(field, NumberInput.parseDouble(text, first, last - first, true));
      if (fields.wantsLiteral(field)) {
        image.literal(field, new String(text, first, last - first));
      }
    } catch (NumberFormatException e) {
      image.text(field, new String(text, first, last - first)); // such as 1-2
    }
  }

  /**
   * Returns whether a value has only characters of numbers. Java's own parsers also accept NaN,
   * hexadecimal digits and the letter of a type.
   */
  private boolean looksLikeNumber(int first, int last) {
    for (int i = first; i < last; i++) {
      char c = text[i];
      boolean digit = c >= '0' && c <= '9';
      if (!digit && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E') {
        return false;
      }
    }
    return true;
  }
}
