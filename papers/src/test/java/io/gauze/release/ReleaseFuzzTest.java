package io.gauze.release;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.ValueNode;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.noise.Randomness;
import io.gauze.plan.StreamPlan;
import io.gauze.testing.Effort;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;

/**
 * Damaged and forged releases, 100,000 in all, or 10,000 in the default build: each is read as some
 * release or refused by an {@link IllegalArgumentException}, in little memory. Any other exception
 * or error fails the test.
 */
final class ReleaseFuzzTest {
  private static final int AVRO_DAMAGED = Effort.of(2_000, 20_000);
  private static final int AVRO_FORGED = Effort.of(2_500, 25_000);
  private static final int JSON_DAMAGED = Effort.of(1_500, 15_000);
  private static final int JSON_FORGED = Effort.of(2_000, 20_000);
  private static final int NPZ_DAMAGED = Effort.of(1_500, 15_000);
  private static final int NPZ_FORGED = Effort.of(500, 5_000);

  /** Reading one of the largest samples as it is takes a few MB. */
  private static final long MOST_MEMORY = 32L << 20;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();
  private static final List<Release> SAMPLES = samples();

  /** Numbers, texts and shapes that break things. */
  private static final List<String> ODD =
      List.of(
          "0",
          "-1",
          "1",
          "2",
          "0.5",
          "-0.0",
          "1e308",
          "-1e308",
          "5e-324",
          "1e999",
          "\"NaN\"",
          "\"Infinity\"",
          "2147483647",
          "-2147483648",
          "4294967296",
          "9223372036854775807",
          "-9223372036854775808",
          "134217728",
          "1048576",
          "4096",
          "1e15",
          "\"\"",
          "\" \"",
          "\"x\"",
          "\"x0\"",
          "\"a/b\"",
          "\"\\ud800\"",
          "\"\\u0000\"",
          "null",
          "true",
          "false",
          "[]",
          "{}",
          "[[]]",
          "{\"a\":1}",
          "\"noisy-moments\"",
          "\"count-sketch\"",
          "\"add-remove\"",
          "\"ordinal\"",
          "\"category\"",
          "\"indicator\"",
          "\"MIDPOINT\"");

  private static List<Release> samples() {
    List<Release> samples = new ArrayList<>();
    for (String mechanism : Mechanisms.names()) {
      Release sample = ReleaseSamples.of(mechanism);
      if (sample.payload().length() <= 200) {
        samples.add(sample);
      }
    }
    StreamPlan plan = Fixtures.plan(); // every kind of column
    samples.add(
        Release.of(plan, Fixtures.id("moments"), Randomness.insecureForTests(1), new long[29]));
    return samples;
  }

  private static List<JsonNode> trees() throws IOException {
    List<JsonNode> trees = new ArrayList<>();
    for (Release sample : SAMPLES) {
      trees.add(JSON.readTree(json(sample)));
    }
    return trees;
  }

  private static Release sample(SplittableRandom random) {
    return SAMPLES.get(random.nextInt(SAMPLES.size()));
  }

  /** Something that reads a release. */
  private interface Reader {
    Release read() throws IOException;
  }

  /** The bytes that this thread ever asked for. */
  private static long allocated() {
    try {
      ObjectName threads = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
      return (Long) BEANS.getAttribute(threads, "CurrentThreadAllocatedBytes");
    } catch (JMException e) {
      throw new AssertionError("this Java runtime does not count", e);
    }
  }

  /** Whether it was refused, as it should be if it is. */
  private static boolean refused(Reader reader, String what) {
    long before = allocated();
    boolean refused = false;
    try {
      Release read = reader.read();
      assertThat(Release.fromBytes(read.toBytes())).isEqualTo(read);
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
      refused = true;
    } catch (IOException | RuntimeException | StackOverflowError | OutOfMemoryError e) {
      throw new AssertionError(what, e);
    }
    long used = allocated() - before;
    assertThat(used).as("bytes allocated for %s", what).isLessThan(MOST_MEMORY);
    return refused;
  }

  @Test
  void damagedAvro() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < AVRO_DAMAGED; i++) {
      byte[] good = sample(random).toBytes();
      byte[] bad = mutate(good, random);
      assertThat(refused(() -> Release.fromBytes(bad), "avro " + i))
          .isEqualTo(!Arrays.equals(good, bad));
    }
  }

  @Test
  void forgedAvro() {
    SplittableRandom random = new SplittableRandom(2);
    int refused = 0;
    for (int i = 0; i < AVRO_FORGED; i++) {
      byte[] bad = mutate(sample(random).toBytes(), random);
      byte[] forged = bad.length < 32 ? bad : ReleaseAvro.seal(bad);
      refused += refused(() -> Release.fromBytes(forged), "forged avro " + i) ? 1 : 0;
    }
    assertThat(refused).isBetween(AVRO_FORGED / 20, AVRO_FORGED - AVRO_FORGED / 20);
  }

  @Test
  void damagedJson() throws IOException {
    SplittableRandom random = new SplittableRandom(3);
    int refused = 0;
    for (int i = 0; i < JSON_DAMAGED; i++) {
      byte[] bad = mutate(json(sample(random)), random);
      refused += refused(() -> fromJson(bad), "json " + i) ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(JSON_DAMAGED * 9 / 10); // the rest: blanks, order
  }

  @Test
  void forgedJson() throws IOException {
    SplittableRandom random = new SplittableRandom(4);
    List<JsonNode> trees = trees();
    int refused = 0;
    for (int i = 0; i < JSON_FORGED; i++) {
      JsonNode bad = twist(trees.get(random.nextInt(trees.size())).deepCopy(), random);
      byte[] text = JSON.writeValueAsBytes(bad);
      refused += refused(() -> forge(text), "forged json " + i) ? 1 : 0;
    }
    assertThat(refused).isBetween(JSON_FORGED / 20, JSON_FORGED - JSON_FORGED / 20);
  }

  @Test
  void damagedNpz() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    List<byte[]> npz = new ArrayList<>();
    for (Release sample : SAMPLES) {
      npz.add(array(out -> ReleaseNpz.write(sample, out)));
    }
    int refused = 0;
    for (int i = 0; i < NPZ_DAMAGED; i++) {
      byte[] bad = mutate(npz.get(random.nextInt(npz.size())), random);
      refused += refused(() -> fromNpz(bad), "npz " + i) ? 1 : 0;
    }
    // what is behind the payload is not read
    assertThat(refused).isBetween(NPZ_DAMAGED / 5, NPZ_DAMAGED - NPZ_DAMAGED / 20);
  }

  @Test
  void forgedNpz() throws IOException {
    SplittableRandom random = new SplittableRandom(6);
    List<JsonNode> headers = new ArrayList<>();
    for (Release sample : SAMPLES) {
      headers.add(JSON.readTree(header(sample)));
    }
    int refused = 0;
    for (int i = 0; i < NPZ_FORGED; i++) {
      int which = random.nextInt(SAMPLES.size());
      Release release = SAMPLES.get(which);
      JsonNode node = headers.get(which);
      String text = (random.nextBoolean() ? node : twist(node.deepCopy(), random)).toString();
      byte[] header = array(out -> NpyArray.texts(out, List.of(text)));
      byte[] payload = array(out -> NpyArray.longs(out, release.numbers()));
      boolean inArray = random.nextBoolean();
      byte[] bad =
          zip(
              random.nextBoolean(),
              inArray ? mutate(header, random) : header,
              inArray ? payload : mutate(payload, random));
      refused += refused(() -> fromNpz(bad), "forged npz " + i) ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(NPZ_FORGED / 2);
  }

  /** Small archives that unpack to 64 MB of payload or header. */
  @Test
  void zipBombs() throws IOException {
    Release release = ReleaseSamples.of(NoisyMoments.NAME);
    byte[] header = array(out -> NpyArray.texts(out, List.of(header(release))));
    byte[] payload = array(out -> NpyArray.longs(out, release.numbers()));
    byte[] longer = zip(false, header, withZeros(payload, 1 << 26));
    assertThat(longer).hasSizeLessThan(1 << 20);
    assertThat(refused(() -> fromNpz(longer), "payload")).isTrue();
    byte[] promise =
        new String(header, ISO_8859_1)
            .replaceFirst(
                "<U[0-9]{4}', 'fortran_order': False, 'shape': \\(\\), } {6}",
                "<U99999999', 'fortran_order': False, 'shape': (), }  ")
            .getBytes(ISO_8859_1);
    assertThat(promise).isNotEqualTo(header).hasSameSizeAs(header);
    byte[] bad = zip(false, withZeros(promise, 1 << 26), payload);
    assertThat(refused(() -> fromNpz(bad), "header")).isTrue();
  }

  private static byte[] withZeros(byte[] array, int zeros) {
    return Arrays.copyOf(array, array.length + zeros);
  }

  // -- the three formats in memory

  private static byte[] json(Release release) throws IOException {
    return array(out -> ReleaseJson.write(ReleaseAvro.sealed(release), out));
  }

  private static Release fromJson(byte[] text) throws IOException {
    return ReleaseAvro.unsealed(ReleaseJson.read(new ByteArrayInputStream(text)));
  }

  /** With a checksum that fits whatever is in the other fields. */
  private static Release forge(byte[] text) throws IOException {
    GenericRecord record = ReleaseJson.read(new ByteArrayInputStream(text));
    byte[] message = ReleaseAvro.encode(record);
    ReleaseAvro.setSum(record, Arrays.copyOfRange(message, message.length - 32, message.length));
    return ReleaseAvro.unsealed(record);
  }

  private static Release fromNpz(byte[] bytes) throws IOException {
    return ReleaseNpz.read(new ByteArrayInputStream(bytes));
  }

  private static String header(Release release) throws IOException {
    return new String(
        array(out -> ReleaseJson.writeHeader(ReleaseAvro.sealed(release), out)), UTF_8);
  }

  /** What writes to a stream. */
  private interface Writer {
    void write(ByteArrayOutputStream out) throws IOException;
  }

  private static byte[] array(Writer writer) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    writer.write(out);
    return out.toByteArray();
  }

  private static byte[] zip(boolean stored, byte[] header, byte[] payload) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      zip.setLevel(Deflater.BEST_SPEED);
      add(zip, stored, "header.npy", header);
      add(zip, stored, "payload.npy", payload);
    }
    return out.toByteArray();
  }

  private static void add(ZipOutputStream zip, boolean stored, String name, byte[] bytes)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    if (stored) {
      CRC32 crc = new CRC32();
      crc.update(bytes);
      entry.setMethod(ZipEntry.STORED);
      entry.setCrc(crc.getValue());
      entry.setSize(bytes.length);
    }
    zip.putNextEntry(entry);
    zip.write(bytes);
  }

  // -- what is done to them

  private static byte[] mutate(byte[] good, SplittableRandom random) {
    byte[] bad = good.clone();
    for (int times = 1 + random.nextInt(3); times > 0 && bad.length > 0; times--) {
      bad = mutateOnce(bad, random);
    }
    return bad;
  }

  private static byte[] mutateOnce(byte[] bytes, SplittableRandom random) {
    int at = random.nextInt(bytes.length);
    int to = random.nextInt(bytes.length);
    int length = Math.min(1 + random.nextInt(40), bytes.length - Math.max(at, to));
    switch (random.nextInt(8)) {
      case 0 -> bytes[at] = (byte) random.nextInt();
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> Arrays.fill(bytes, at, at + Math.min(length, bytes.length - at), (byte) 0xff);
      case 3 -> Arrays.fill(bytes, at, at + Math.min(length, bytes.length - at), (byte) 0);
      case 4 -> {
        byte[] chunk = Arrays.copyOfRange(bytes, at, at + length);
        System.arraycopy(bytes, to, bytes, at, length);
        System.arraycopy(chunk, 0, bytes, to, length);
      }
      case 5 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 6 -> {
        byte[] longer = new byte[bytes.length + length];
        System.arraycopy(bytes, 0, longer, 0, at);
        System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
        return longer;
      }
      default -> {
        byte[] shorter = new byte[bytes.length - length];
        System.arraycopy(bytes, 0, shorter, 0, Math.min(at, shorter.length));
        int rest = shorter.length - Math.min(at, shorter.length);
        System.arraycopy(bytes, bytes.length - rest, shorter, shorter.length - rest, rest);
        return shorter;
      }
    }
    return bytes;
  }

  /** Changes, takes away or doubles a few values anywhere in a tree. */
  private static JsonNode twist(JsonNode tree, SplittableRandom random) throws IOException {
    for (int times = 1 + random.nextInt(2); times > 0; times--) {
      List<JsonNode> parents = new ArrayList<>();
      collect(tree, parents);
      JsonNode parent = parents.get(random.nextInt(parents.size()));
      JsonNode odd = JSON.readTree(ODD.get(random.nextInt(ODD.size())));
      if (parent instanceof ArrayNode list) {
        twist(list, odd, random);
      } else {
        twist((ObjectNode) parent, odd, random);
      }
    }
    return tree;
  }

  private static void collect(JsonNode node, List<JsonNode> parents) {
    if (!(node instanceof ValueNode) && !node.isEmpty()) {
      parents.add(node);
      node.forEach(child -> collect(child, parents));
    }
  }

  private static void twist(ArrayNode list, JsonNode odd, SplittableRandom random) {
    int at = random.nextInt(list.size());
    switch (random.nextInt(4)) {
      case 0 -> list.remove(at);
      case 1 -> list.insert(at, list.get(at));
      case 2 -> list.set(at, list.get(random.nextInt(list.size())));
      default -> list.set(at, odd);
    }
  }

  private static void twist(ObjectNode object, JsonNode odd, SplittableRandom random) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    String name = names.get(random.nextInt(names.size()));
    switch (random.nextInt(8)) {
      case 0 -> object.remove(name);
      case 1 -> object.set(name, object.get(names.get(random.nextInt(names.size()))));
      case 2 -> object.set("odd", odd);
      default -> object.set(name, odd);
    }
  }
}
