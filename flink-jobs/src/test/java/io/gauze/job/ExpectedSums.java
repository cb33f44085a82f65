package io.gauze.job;

import io.gauze.mechanism.Cumulative;
import io.gauze.mechanism.EpochFitter;
import io.gauze.mechanism.SecondReadingMechanism;
import io.gauze.noise.Entropy;
import io.gauze.plan.SketchPlan;
import io.gauze.row.EncodedRow;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowHasher;
import io.gauze.row.RowRejectedException;
import io.gauze.row.RowTag;
import io.gauze.sketch.LinearSketch;
import io.gauze.source.RowFields;
import io.gauze.source.RowImage;
import io.gauze.source.json.JsonRowDecoder;
import io.gauze.stream.SketchJobSettings;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** What releases without noise must hold, computed in one place and one process. */
public final class ExpectedSums {
  private ExpectedSums() {}

  /** The numbers of the releases of some rows by the names of their sketches. */
  static Map<String, long[]> of(
      SketchJobSettings settings, List<ConsumerRecord<byte[], byte[]>> records) {
    Map<String, LinearSketch<?>> first = empty(settings);
    add(settings, records, first);
    Map<String, long[]> numbers = new LinkedHashMap<>();
    first.forEach((name, sketch) -> numbers.put(name, sketch.state()));
    for (SketchPlan sketch : settings.plan().sketches()) {
      Entropy none = settings.randomness().entropy("release");
      boolean isOneByOne = !(sketch.mechanism() instanceof Cumulative); // of their noise
      if (!sketch.mechanism().noiseInState() && isOneByOne) {
        numbers.computeIfPresent(
            sketch.name(), (name, sums) -> sketch.mechanism().release(sums, none));
      }
    }
    for (SketchPlan sketch : settings.readAgain()) {
      SecondReadingMechanism mechanism = (SecondReadingMechanism) sketch.mechanism();
      Entropy none = settings.randomness().entropy("model");
      EpochFitter fit = mechanism.begin(none);
      addRows(settings, records, fit);
      numbers.put(sketch.name(), fit.numbers());
    }
    return numbers;
  }

  /** Adds the rows of a model, partition by partition. */
  public static void addRows(
      SketchJobSettings settings, List<ConsumerRecord<byte[], byte[]>> records, EpochFitter fit) {
    RowFields fields = RowFields.of(settings.plan().schema(), List.of());
    RowImage image = new RowImage(fields, new RowEncoder(settings.plan().schema()));
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    double[] scaled = new double[settings.plan().schema().dimension()];
    for (ConsumerRecord<byte[], byte[]> record : inOrder(records)) {
      try {
        decoder.decode(record.value() == null ? new byte[0] : record.value(), image);
        image.scale(scaled);
      } catch (RowRejectedException e) {
        continue;
      }
      fit.add(scaled);
    }
  }

  private static List<ConsumerRecord<byte[], byte[]>> inOrder(
      List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream()
        .sorted(
            Comparator.comparingInt((ConsumerRecord<byte[], byte[]> each) -> each.partition())
                .thenComparingLong(each -> each.offset()))
        .toList();
  }

  /** Adds rows to sketches. */
  public static void add(
      SketchJobSettings settings,
      List<ConsumerRecord<byte[], byte[]>> records,
      Map<String, LinearSketch<?>> byName) {
    Entropy entropy = settings.randomness().entropy("row hashes");
    RowHasher hasher = RowHasher.create(entropy::nextLong);
    RowTag tag = new RowTag();
    RowFields fields = RowFields.of(settings.plan().schema(), List.of());
    RowImage image = new RowImage(fields);
    JsonRowDecoder decoder = new JsonRowDecoder(fields);
    EncodedRow row = new EncodedRow(settings.plan().schema().dimension());
    for (ConsumerRecord<byte[], byte[]> record : records) {
      try {
        decoder.decode(record.value() == null ? new byte[0] : record.value(), image);
        image.encode(row);
      } catch (RowRejectedException e) {
        continue;
      }
      hasher.tag(record.partition(), record.offset(), tag);
      byName.values().forEach(sketch -> sketch.add(tag, row, 1));
    }
  }

  private static Map<String, LinearSketch<?>> empty(SketchJobSettings settings) {
    Map<String, LinearSketch<?>> byName = new LinkedHashMap<>();
    for (SketchPlan sketch : settings.plan().sketches()) {
      byName.put(sketch.name(), sketch.mechanism().spec().zero());
    }
    return byName;
  }
}
