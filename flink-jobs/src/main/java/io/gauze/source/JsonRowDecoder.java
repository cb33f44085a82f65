package io.gauze.source;

import com.fasterxml.jackson.core.JsonParser;
import io.gauze.row.RowRejectedException;
import java.io.IOException;

/**
 * Reads one JSON object (RFC 8259, UTF-8) a row. Fields that nothing reads are skipped; of a field
 * that is there twice, the last counts. Not thread-safe. Cost: one pass over the bytes.
 */
public final class JsonRowDecoder implements RecordDecoder {
  private final JsonText json = new JsonText();
  private final JsonImage object;
  private final JsonText.ObjectReader reader = this::readObject;
  private RowImage target; // of the record that is being read

  /** For these fields. */
  public JsonRowDecoder(RowFields fields) {
    this.object = new JsonImage(fields, false);
  }

  @Override
  public Change decode(byte[] value, RowImage before, RowImage after) throws RowRejectedException {
    before.clear();
    decode(value, after);
    return Change.INSERT;
  }

  /** Reads a row into {@code image}; exceptions as {@link RecordDecoder#decode}. */
  public void decode(byte[] value, RowImage image) throws RowRejectedException {
    image.clear();
    target = image;
    json.read(value, reader);
  }

  private void readObject(JsonParser parser) throws IOException {
    object.read(parser, target);
  }
}
