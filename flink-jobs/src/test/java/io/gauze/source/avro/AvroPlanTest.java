package io.gauze.source.avro;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.row.MissingValues;
import io.gauze.row.NumericColumn;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowSchema;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** A plan reads what its steps read one by one, and refuses what they refuse. */
final class AvroPlanTest {
  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");
  private static final List<String> TYPES =
      List.of(
          "\"double\"",
          "[\"null\", \"double\"]",
          "[\"double\", \"null\"]",
          "[\"null\", \"float\"]",
          "[\"null\", \"double\", \"long\"]",
          "[\"double\", \"long\"]",
          "[\"null\"]",
          "\"float\"",
          "\"long\"",
          "\"string\"");

  /** The columns a to d, of which d is also wanted as text; e is wanted as text only. */
  private static final RowFields FIELDS =
      RowFields.of(
          RowSchema.of(
              NAMES.subList(0, 4).stream()
                  .map(name -> new NumericColumn(name, name, -1, 1))
                  .toList(),
              1.0,
              4.0,
              MissingValues.REJECT),
          List.of("d", "e"));

  private static Schema schema(Random random) {
    List<String> fields = new ArrayList<>();
    for (String name : NAMES) {
      String type = TYPES.get(random.nextInt(random.nextBoolean() ? 3 : TYPES.size()));
      fields.add("{\"name\": \"" + name + "\", \"type\": " + type + "}");
    }
    return new Schema.Parser()
        .parse(
            "{\"type\": \"record\", \"name\": \"R\", \"fields\": ["
                + String.join(", ", fields)
                + "]}");
  }

  /** A row of the schema, of which every second one is then damaged. */
  private static byte[] record(Schema schema, Random random) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    for (Schema.Field field : schema.getFields()) {
      value(field.schema(), random, encoder);
    }
    byte[] bytes = out.toByteArray();
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      case 1 -> Arrays.copyOf(bytes, bytes.length + 1 + random.nextInt(3));
      case 2 -> {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        yield bytes;
      }
      default -> bytes;
    };
  }

  private static void value(Schema schema, Random random, BinaryEncoder out) throws IOException {
    switch (schema.getType()) {
      case UNION -> {
        int branch = random.nextInt(schema.getTypes().size());
        out.writeIndex(branch);
        value(schema.getTypes().get(branch), random, out);
      }
      case DOUBLE ->
          out.writeDouble(random.nextInt(40) == 0 ? Double.NaN : random.nextDouble(-2, 2));
      case FLOAT -> out.writeFloat(random.nextFloat());
      case LONG -> out.writeLong(random.nextLong() >> random.nextInt(64));
      case STRING -> out.writeString(random.nextBoolean() ? "text" : "0.5");
      default -> out.writeNull();
    }
  }

  private static List<Object> image(RowImage image) {
    List<Object> found = new ArrayList<>();
    found.add(image.isPresent());
    for (int field = 0; field < FIELDS.names().size() && image.isPresent(); field++) {
      found.add(image.hasExtra(field) ? image.extra(field) : image.fault(field));
    }
    double[] row = new double[FIELDS.schema().dimension()];
    try {
      if (image.isPresent()) {
        image.scale(row);
      }
      Arrays.stream(row).mapToObj(Double::doubleToRawLongBits).forEach(found::add);
    } catch (RowRejectedException e) {
      found.add(e.getMessage());
    }
    return found;
  }

  private static List<Object> byPlan(AvroPlan plan, byte[] record, RowImage image) {
    AvroInput in = new AvroInput();
    in.reset(record, 0);
    try {
      plan.read(in, image);
    } catch (RowRejectedException e) {
      return List.of(e.getMessage());
    }
    return image(image);
  }

  private static List<Object> byStep(List<AvroStep> steps, byte[] record, RowImage image) {
    AvroInput in = new AvroInput();
    in.reset(record, 0);
    image.begin();
    int field = 0;
    try {
      for (; field < steps.size(); field++) {
        steps.get(field).read(in, image);
      }
    } catch (AvroInput.Malformed e) {
      return List.of(AvroPlan.notOfTheSchema(in, NAMES.get(field), e).getMessage());
    }
    return in.atEnd() ? image(image) : List.of(AvroPlan.bytesLeft(in).getMessage());
  }

  @Test
  void readsWhatItsStepsRead() throws IOException {
    Random random = new Random(5);
    RowImage image = new RowImage(FIELDS);
    RowImage expected = new RowImage(FIELDS);
    int rows = 0;
    for (int i = 0; i < 1_000; i++) {
      Schema schema = schema(random);
      AvroPlan plan = AvroPlan.of(schema, Optional.empty(), FIELDS);
      List<AvroStep> steps = new AvroSteps(FIELDS, false).ofRow(schema, Optional.empty());
      for (int k = 0; k < 50; k++) {
        byte[] record = record(schema, random);
        List<Object> read = byPlan(plan, record, image);
        assertThat(read)
            .as(() -> schema + ": " + Arrays.toString(record))
            .isEqualTo(byStep(steps, record, expected));
        rows += read.size() > 1 ? 1 : 0;
      }
    }
    assertThat(rows).as("records that were read").isGreaterThan(10_000);
  }
}
