package io.gauze.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.mechanism.Fixtures;
import io.gauze.mechanism.Mechanisms;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.model.track.ResidualTrack;
import io.gauze.noise.Randomness;
import io.gauze.payload.FitMethod;
import io.gauze.payload.Payload;
import io.gauze.plan.StreamPlan;
import io.gauze.row.ResponseBound;
import io.gauze.row.RowSchema;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ReleaseFileTest {
  static final List<String> ENDINGS = List.of("avro", "json", "npz");
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  static Stream<Arguments> mechanismsAndEndings() {
    return Mechanisms.names().stream()
        .flatMap(name -> ENDINGS.stream().map(ending -> Arguments.of(name, ending)));
  }

  @ParameterizedTest
  @MethodSource("mechanismsAndEndings")
  void everyMechanismSurvivesEveryFormat(String mechanism, String ending) throws IOException {
    Release release = ReleaseSamples.of(mechanism);
    Release read = roundTrip(release, folder.resolve("release." + ending));
    assertThat(read).isEqualTo(release);
    assertThat(read.toBytes()).isEqualTo(release.toBytes());
  }

  static Stream<String> mechanisms() {
    return Mechanisms.names().stream();
  }

  /** What is no part of a series may change, and its releases are still of the stream. */
  @ParameterizedTest
  @MethodSource("mechanisms")
  void aSeriesHasOneNoise(String mechanism) {
    StreamPlan plan = ReleaseSamples.plan(mechanism);
    StreamRequest request = plan.request();
    StreamPlan other =
        StreamPlan.of(
            new StreamRequest(
                request.stream(),
                request.schema(),
                request.budget(),
                request.scope(),
                2 * request.expectedRows(),
                request.assumptions(),
                request.sketches()));
    boolean isSame = other.series("all").equals(plan.series("all"));
    assertThat(ReleaseSamples.of(mechanism).isOf(other)).isEqualTo(isSame);
  }

  /** Every kind of column, both ends of the payload's range, doubles of all sizes. */
  @ParameterizedTest
  @ValueSource(strings = {"avro", "json", "npz"})
  void extremesSurvive(String ending) throws IOException {
    long[] payload = LongStream.range(0, 29).map(i -> Long.MAX_VALUE + i).toArray();
    Release release =
        Release.of(
            Fixtures.plan(), Fixtures.id("moments"), Randomness.insecureForTests(1), payload);
    ReleaseHeader made = release.header();
    ReleaseHeader header =
        new ReleaseHeader(
            made.id(),
            made.encodingVersion(),
            made.schema(),
            made.mechanism(),
            Map.of(
                "tiny",
                Double.MIN_VALUE,
                "huge",
                Double.MAX_VALUE,
                "third",
                1.0 / 3.0,
                "minus",
                -0.0,
                "least",
                -Double.MAX_VALUE,
                "rowUnit",
                made.parameters().get("rowUnit"),
                "sensitivity",
                made.parameters().get("sensitivity")),
            Map.of("column", "größe \"\\\u2028\ud83d\ude00"),
            made.stepSize(),
            made.sigma(),
            made.noiseLaw(),
            made.guarantee());
    Release odd = new Release(header, payload);
    Release read = roundTrip(odd, folder.resolve("release." + ending));
    assertThat(read).isEqualTo(odd);
    assertThat(read.toBytes()).isEqualTo(odd.toBytes());
  }

  /**
   * Of buckets with a setting that the mechanism does not know, by the first code that wrote
   * version 1, under noise-free randomness. Never made again.
   */
  @ParameterizedTest
  @ValueSource(strings = {"avro", "json", "npz"})
  void readsReleasesOfVersion1(String ending) throws IOException {
    Release release = ReleaseFile.read(golden(1, ending));
    assertThat(release.id()).hasToString("wine/all/2026-01-01T00:00:00Z/buckets");
    assertThat(release.schema()).isEqualTo(Fixtures.schema());
    assertThat(release.encodingVersion())
        .isEqualTo("43690e6cd273c00ef6a4b16889ee67b1f1f8a35a7e9e720c73e6ff8ae2e0113e");
    assertThat(release.mechanism()).isEqualTo("count-sketch");
    assertThat(release.parameters())
        .containsOnlyKeys("buckets", "expectedRows", "mu", "sensitivity")
        .containsEntry("buckets", 8.0)
        .containsEntry("expectedRows", 1e6)
        .containsEntry("sensitivity", 2.25);
    assertThat(release.settings()).isEqualTo(Map.of("variant", "golden, ü"));
    assertThat(release.stepSize()).isEqualTo(0x1p-13);
    assertThat(release.sigmaSteps()).isEqualTo(95370.00289651834);
    assertThat(release.noiseLaw()).startsWith("independent normal noise, rounded to whole steps");
    assertThat(release.guarantee().epsilon()).isEqualTo(1.0);
    assertThat(release.guarantee().delta()).isEqualTo(1e-6);
    assertThat(release.guarantee().isPrivate()).isFalse();
    assertThat(release.payload()).isEqualTo(new Payload.Buckets(8, 7, release.sigma()));
    assertThat(release.numbers()).isEqualTo(goldenPayload());
    assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(golden(1, "avro")));
  }

  /**
   * Of moments with typical values and a response, by the first code that wrote version 2, under
   * noise-free randomness. Never made again.
   */
  @ParameterizedTest
  @ValueSource(strings = {"avro", "json", "npz"})
  void readsReleasesOfVersion2(String ending) throws IOException {
    Release release = ReleaseFile.read(golden(2, ending));
    RowSchema schema = release.schema();
    assertThat(release.id()).hasToString("wine/all/2026-01-01T00:00:00Z/moments");
    assertThat(release.encodingVersion())
        .isEqualTo("89a6cbb3e267d98da16dd820578311b363a608373ee61c65b3631f898d6ecd5b");
    assertThat(schema.responses()).isEqualTo(new ResponseBound(List.of("quality"), 0.75));
    assertThat(schema.rowBound()).isEqualTo(1.25);
    assertThat(IntStream.range(0, 7).mapToObj(schema::mid))
        .containsExactly(0.0, 10.5, 1.5, 0.5, 0.0, 0.0, 5.0);
    assertThat(IntStream.range(1, 7).mapToObj(schema::half))
        .containsExactly(4.5, 1.5, 0.5, 1.0, 1.0, 5.0);
    assertThat(release.numbers()).isEqualTo(Arrays.copyOf(goldenPayload(), 28));
    assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(golden(2, "avro")));
  }

  /** Of moments with factors of columns, by the first code that wrote version 3. As above. */
  @ParameterizedTest
  @ValueSource(strings = {"avro", "json", "npz"})
  void readsReleasesOfVersion3(String ending) throws IOException {
    Release release = ReleaseFile.read(golden(3, ending));
    RowSchema schema = release.schema();
    assertThat(release.encodingVersion())
        .isEqualTo("59f5f199fe426c0be7745f282df8060ede1f916651ba6017d37f49fde3458d03");
    assertThat(schema.factors()).containsExactly(1.0, 0.5, 0.25, 0.125, 0.0625);
    assertThat(IntStream.range(0, 7).mapToObj(schema::half))
        .containsExactly(4.0, 4.5, 3.0, 2.0, 8.0, 8.0, 80.0);
    assertThat(release.numbers()).isEqualTo(Arrays.copyOf(goldenPayload(), 28));
    assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(golden(3, "avro")));
  }

  /** The first release of strata of residuals, under noise-free randomness. Never made again. */
  @Test
  void readsTheFirstStrataOfResiduals() throws Exception {
    Path file = Path.of(ReleaseFileTest.class.getResource("residual-strata-v1.avro").toURI());
    Release release = ReleaseFile.read(file);
    assertThat(release.mechanism()).isEqualTo("residual-strata");
    assertThat(release.settings()).isEqualTo(Map.of("response", "x1"));
    assertThat(release.parameters())
        .containsOnlyKeys(
            "expectedRows", "momentsSigma", "mu", "sensitivity", "strata", "strataSigma");
    assertThat(release.payload()).isInstanceOf(Payload.ResidualStrata.class);
    Payload.ResidualStrata payload = (Payload.ResidualStrata) release.payload();
    assertThat(payload.response()).isEqualTo(2);
    assertThat(payload.strata()).isEqualTo(2);
    assertThat(payload.momentsSigma()).isEqualTo(release.parameters().get("momentsSigma"));
    assertThat(payload.strataSigma()).isEqualTo(release.parameters().get("strataSigma"));
    assertThat(release.numbers()).isEqualTo(Arrays.copyOf(goldenPayload(), 6 + 3 + 12));
    assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(file));
  }

  /** The first release of statistics of residuals, of 64 rows without noise. Never made again. */
  @Test
  void readsTheFirstStatisticsOfResiduals() throws Exception {
    Path file = Path.of(ReleaseFileTest.class.getResource("irls-track-v1.avro").toURI());
    Release release = ReleaseFile.read(file);
    assertThat(release.mechanism()).isEqualTo("irls-track");
    assertThat(release.settings()).isEqualTo(Map.of("response", "x2"));
    assertThat(release.parameters())
        .containsOnlyKeys(
            "countSigma",
            "expectedRows",
            "featureBound",
            "featureSquare",
            "gradientSigma",
            "hessianSigma",
            "mu",
            "residualMedian");
    assertThat(release.payload().length()).isEqualTo(release.numbers().length);
    ResidualTrack track = ResidualTrack.of(2, release.numbers());
    assertThat(track.count()).isEqualTo(64);
    assertThat(track.epochs()).isEqualTo(1);
    assertThat(track.coefficients().get(1))
        .isEqualTo(Math.scalb(1_066_339_913.0, -ResidualTrack.OUTPUT_BITS));
    assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(file));
  }

  /**
   * Models of Huber's loss and of the quantile 0.9: the last ones that were minima of an objective
   * with a ridge, and the first ones that were made in steps. Never made again.
   */
  @ParameterizedTest
  @CsvSource({"huber, 0.5", "quantile, 0.9"})
  void readsModelsBeforeAndAfterTheyWereMadeInSteps(String mechanism, double quantile)
      throws Exception {
    for (int version = 1; version <= 2; version++) {
      String name = mechanism + "-v" + version + ".avro";
      Path file = Path.of(ReleaseFileTest.class.getResource(name).toURI());
      Release release = ReleaseFile.read(file);
      assertThat(release.mechanism()).isEqualTo(mechanism);
      assertThat(release.settings()).isEqualTo(Map.of("response", "x2"));
      Payload.Model payload = (Payload.Model) release.payload();
      assertThat(payload.features()).containsExactly(0, 1, 2);
      assertThat(payload.loss().quantile()).isEqualTo(quantile);
      assertThat(payload.loss().threshold()).isEqualTo(release.parameters().get("threshold"));
      assertThat(release.numbers()).isEqualTo(Arrays.copyOf(goldenPayload(), payload.length()));
      assertThat(release.toBytes()).isEqualTo(Files.readAllBytes(file));
      if (version == 1) {
        assertThat(payload.origin()).isEqualTo(new FitMethod.Minimum(0.0));
        assertThat(payload.gradient()).isEqualTo(release.parameters().get("gradientSigma"));
        assertThat(payload.length()).isEqualTo(3);
      } else {
        assertThat(((FitMethod.Steps) payload.origin()).counts())
            .isEqualTo(release.parameters().get("countSigma"));
        assertThat(payload.length()).isEqualTo(7);
      }
    }
  }

  private static long[] goldenPayload() {
    long[] payload = LongStream.range(0, 56).map(i -> (i - 20) * 123_456_789L).toArray();
    payload[0] = Long.MIN_VALUE;
    payload[1] = Long.MAX_VALUE;
    return payload;
  }

  private static Path golden(int version, String ending) {
    try {
      String name = "release-v" + version + "." + ending;
      return Path.of(ReleaseFileTest.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  static Release roundTrip(Release release, Path file) throws IOException {
    ReleaseFile.write(release, file);
    try (Stream<Path> files = Files.list(file.getParent())) {
      assertThat(files).as("no other file is left behind").containsExactly(file);
    }
    byte[] first = Files.readAllBytes(file);
    ReleaseFile.write(release, file); // in its own place
    assertThat(Files.readAllBytes(file)).as("equal releases, equal files").isEqualTo(first);
    return ReleaseFile.read(file);
  }

  @Test
  void endingsDecideTheFormat() throws IOException {
    Release release = ReleaseSamples.of(NoisyMoments.NAME);
    Path upper = folder.resolve("R.AVRO");
    ReleaseFile.write(release, upper);
    assertThat(Files.readAllBytes(upper)).isEqualTo(release.toBytes());
    for (String name : List.of("r.txt", "avro", "r.avro.gz")) {
      String message =
          "name of a release file must end with .avro, .json or .npz. Provided value: " + name;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ReleaseFile.write(release, Path.of(name)))
          .withMessage(message);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ReleaseFile.read(Path.of(name)))
          .withMessage(message);
    }
  }

  @Test
  void jsonIsForPeople() throws IOException {
    Path file = folder.resolve("r.json");
    Release release = ReleaseSamples.of(NoisyMoments.NAME);
    ReleaseFile.write(release, file);
    String text = Files.readString(file, UTF_8);
    assertThat(text).startsWith("{\n  \"formatVersion\" : 1,\n  \"stream\" : \"wine\",\n");
    JsonNode tree = JSON.readTree(text);
    assertThat(tree.fieldNames())
        .toIterable()
        .containsExactlyElementsOf(
            ReleaseSchema.V1.avro().getFields().stream().map(field -> field.name()).toList());
    assertThat(tree.get("payload")).hasSize(11).allMatch(JsonNode::isIntegralNumber);
    assertThat(tree.get("sha256").textValue()).matches("[0-9a-f]{64}");
    assertThat(tree.get("columns").get(2).get("name").textValue()).isEqualTo("x2");
  }

  @Test
  void jsonFieldsMayBeInAnyOrder() throws IOException {
    Release release = ReleaseSamples.of(NoisyMoments.NAME);
    ObjectNode tree = tree(release);
    ObjectNode turned = JSON.createObjectNode();
    List<String> names = new ArrayList<>();
    tree.fieldNames().forEachRemaining(names::add);
    for (int i = names.size(); i > 0; i--) {
      turned.set(names.get(i - 1), tree.get(names.get(i - 1)));
    }
    assertThat(ReleaseAvro.unsealed(ReleaseJson.read(stream(turned)))).isEqualTo(release);
  }

  @Test
  void editedJsonIsRefused() throws IOException {
    String sum = "sha256 must be the SHA-256 of the release's Avro message";
    edited(t -> ((ArrayNode) t.get("payload")).set(3, 17), sum);
    edited(t -> t.put("epoch", "2026-01-02T00:00:00Z"), sum);
    edited(t -> t.put("form", "rows"), sum);
    edited(t -> ((ObjectNode) t.get("guarantee")).put("epsilon", 0.5), sum);
    edited(t -> t.put("sha256", "0".repeat(64)), sum);
    edited(t -> t.put("sha256", "00"), "sha256 must be 64 hexadecimal digits");
    edited(t -> t.put("formatVersion", 4), "formatVersion must be 1, 2 or 3 in this kind of file.");
    edited(t -> t.put("formatVersion", 4), "upgrade Gauze");
    edited(t -> t.put("formatVersion", 3), "must have the field factors. Provided value: none");
    edited(t -> t.put("formatVersion", 2), "must have the field responses. Provided value: none");
    edited(t -> t.put("formatVersion", 1.0), "formatVersion must be whole");
    edited(t -> t.put("gridBits", 1L << 40), "gridBits must be whole");
    edited(t -> t.put("stream", 5), "stream must be a text. Provided value: 5");
    edited(t -> t.putNull("unit"), "unit must be a number. Provided value: null");
    edited(t -> t.put("extra", 1), "the release must have the fields of a release only");
    edited(t -> t.remove("sigma"), "the release must have the field sigma");
    edited(t -> ((ObjectNode) t.get("guarantee")).remove("delta"), "guarantee must have the field");
    edited(t -> ((ArrayNode) t.get("payload")).add(0.5), "payload must be whole");
    edited(t -> t.put("payload", "all"), "payload must be a list");
    edited(t -> t.put("columns", "all"), "columns must be a list");
    edited(t -> t.put("parameters", "all"), "parameters must be an object");
    edited(t -> ((ObjectNode) t.get("guarantee")).put("private", 1), "private must be true");
  }

  private void edited(Consumer<ObjectNode> edit, String message) throws IOException {
    ObjectNode tree = tree(ReleaseSamples.of(NoisyMoments.NAME));
    edit.accept(tree);
    refused("r.json", JSON.writeValueAsBytes(tree), message);
  }

  private ObjectNode tree(Release release) throws IOException {
    Path file = folder.resolve("tree.json");
    ReleaseFile.write(release, file);
    return (ObjectNode) JSON.readTree(Files.readAllBytes(file));
  }

  private static ByteArrayInputStream stream(JsonNode tree) throws IOException {
    return new ByteArrayInputStream(JSON.writeValueAsBytes(tree));
  }

  @Test
  void whatIsNotARelease() throws IOException {
    refused("r.avro", new byte[0], "release must begin with c301");
    refused("r.json", new byte[0], "the release must be an object. Provided value: none");
    refused("r.json", "[]".getBytes(UTF_8), "the release must be an object. Provided value: [");
    refused("r.json", "{\"stream\"".getBytes(UTF_8), "line 1, column 10: release must be JSON");
    for (String number :
        new String[] {"2".repeat(1500), "0." + "1".repeat(1498), "2".repeat(5000)}) {
      refused(
          "r.json",
          ("{\n\"formatVersion\": " + number + "}").getBytes(UTF_8),
          String.format(
              Locale.ROOT,
              "line 2, column %d: release must be JSON: Number value length (%d) exceeds the"
                  + " maximum allowed (1000)",
              18 + number.length(),
              number.contains(".") ? 1499 : number.length()));
    }
    refused(
        "r.json",
        ("{\"" + "x".repeat(60_000) + "\": 1}").getBytes(UTF_8),
        "release must be JSON: Name length (");
    refused("r.json", "{} {}".getBytes(UTF_8), "file must end with the release");
    refused("r.npz", new byte[0], "file must be a zip archive that begins with");
    refused("r.npz", new byte[1000], "file must be a zip archive");
  }

  private void refused(String name, byte[] bytes, String message) throws IOException {
    Path file = folder.resolve(name);
    Files.write(file, bytes);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReleaseFile.read(file))
        .withMessageStartingWith(name + ": ")
        .withMessageContaining(message);
  }

  @Test
  void troubleWithTheDiskSaysWhereAndWhy() throws IOException {
    Release release = ReleaseSamples.of(NoisyMoments.NAME);
    Path nowhere = folder.resolve("absent").resolve("r.json");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> ReleaseFile.write(release, nowhere))
        .withMessage("cannot write " + nowhere + ": there is no such file or folder");
    for (String ending : ENDINGS) {
      Path absent = folder.resolve("absent." + ending);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> ReleaseFile.read(absent))
          .withMessage("cannot read " + absent + ": there is no such file or folder");
      Path taken = Files.createDirectory(folder.resolve("folder." + ending));
      Files.createFile(taken.resolve("full"));
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> ReleaseFile.write(release, taken))
          .withMessageStartingWith("cannot write " + taken + ": ");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> ReleaseFile.read(taken))
          .withMessageStartingWith("cannot read " + taken + ": ");
    }
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).as("parts are taken away").hasSize(3);
    }
  }

  /** A sparse file: nothing of it is read. */
  @Test
  void filesThatAreTooLargeAreNotRead() throws IOException {
    for (String ending : ENDINGS) {
      Path file = folder.resolve("large." + ending);
      try (var channel =
          FileChannel.open(
              file,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.SPARSE,
              StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.allocate(1), 1L << 33);
      }
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ReleaseFile.read(file))
          .withMessageStartingWith("large." + ending + ": file must have at most ")
          .withMessageEndingWith(" bytes. Provided value: 8589934593");
    }
  }
}
