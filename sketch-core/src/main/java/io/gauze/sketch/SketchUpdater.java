package io.gauze.sketch;

import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.row.RowTag;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Inserts records into sketches and deletes them again: encodes, tags and adds. Convenient for
 * records in maps; allocates memory for each record. Not thread-safe.
 */
public final class SketchUpdater {
  private final RowSchema schema;
  private final RowEncoder encoder;
  private final RowHasher hasher;
  private final List<LinearSketch<?>> sketches;
  private final EncodedRow row;
  private final RowTag tag = new RowTag();

  /**
   * Creates an updater of some sketches.
   *
   * @param schema describes the records
   * @param hasher the secret; sketches that are to be merged, or from which rows are to be deleted,
   *     must have been updated under the same one
   * @param sketches all of the schema's dimension
   * @throws IllegalArgumentException if a sketch is of another dimension
   */
  public SketchUpdater(RowSchema schema, RowHasher hasher, LinearSketch<?>... sketches) {
    this.schema = schema;
    this.encoder = new RowEncoder(schema);
    this.hasher = hasher;
    this.sketches = List.of(sketches);
    this.row = new EncodedRow(schema.dimension());
    this.sketches.forEach(sketch -> sketch.checkDimension(schema.dimension()));
  }

  /**
   * Inserts a record.
   *
   * @param key identifies the record; no two records at a time have the same key
   * @param fields numbers and texts by the name of their field. If the schema wants a text, a
   *     number is accepted as one: 1 is "1", 1.0 is "1.0". Fields that the schema does not have are
   *     ignored
   * @throws RowRejectedException if a field cannot be encoded; nothing is added then
   */
  public void insert(String key, Map<String, ?> fields) throws RowRejectedException {
    update(key, fields, 1);
  }

  /**
   * Deletes a record that was inserted under this key with these fields. The sketches are then as
   * before the insertion, to the last bit.
   *
   * @throws RowRejectedException as for {@link #insert}
   */
  public void delete(String key, Map<String, ?> fields) throws RowRejectedException {
    update(key, fields, -1);
  }

  private void update(String key, Map<String, ?> fields, int sign) throws RowRejectedException {
    encoder.begin();
    for (Map.Entry<String, ?> field : fields.entrySet()) {
      int index = schema.fieldIndex(field.getKey());
      if (index >= 0) {
        put(index, field.getValue());
      }
    }
    encoder.encode(row);
    hasher.tag(key.getBytes(StandardCharsets.UTF_8), tag);
    sketches.forEach(sketch -> sketch.add(tag, row, sign));
  }

  private void put(int field, Object value) throws RowRejectedException {
    if (value instanceof Number number && schema.numericField(field)) {
      encoder.number(field, number.doubleValue());
    } else if (value == null) {
      encoder.missing(field);
    } else {
      encoder.text(field, value.toString());
    }
  }
}
