package io.gauze.config;

import io.gauze.accounting.Budget;
import io.gauze.accounting.PrivacyUnit;
import io.gauze.mechanism.BudgetScope;
import io.gauze.mechanism.RangeBudget;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.descent.DescentModel;
import io.gauze.mechanism.moments.NoisyHistogram;
import io.gauze.mechanism.moments.NoisyMoments;
import io.gauze.mechanism.moments.StratifiedMomentsNoise;
import io.gauze.mechanism.twostage.TwoStageMoments;
import io.gauze.mechanism.twostage.TwoStageStrata;
import io.gauze.row.EstimatedColumn;
import io.gauze.row.Grid;
import io.gauze.row.RowSchema;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The config of one stream. Immutable; created by {@link #read} or {@link #parse}, which check each
 * value.
 *
 * @param stream the stream's name: lower case, digits, hyphens
 * @param schema columns, intercept, row bound, missing values
 * @param budget the budget of all sketches together, for the releases of the scope
 * @param scope whose data are protected, in which releases
 * @param totalBudget the budget that all streams over the same topic of rows may spend together,
 *     ever; at least the budget, which is the default
 * @param epochs the epochs of the stream; the first one is undefined if the config does not name it
 * @param backfill how many past epochs, times groups, a start may have to release; at least 1
 * @param checkpointLeaks how many leaked checkpoints the guarantee covers, 0 or 1
 * @param groups the public groups; empty: one group of all rows
 * @param expectedRows the rows expected in an epoch and group (in the last of cumulative releases),
 *     a public guess, at least 1; empty if the config does not say
 * @param sketches at least one, with different names; immutable
 * @param kafka the broker and the topics
 * @param flink Flink's own keys and values, with a positive checkpoint interval; immutable
 * @param places the lines of the keys
 * @param estimates the columns whose ranges are to be chosen first; empty if all ranges are known
 *     or only counted
 * @param spreads the public guesses of standard deviations, by column; may be empty
 */
public record StreamConfig(
    String stream,
    RowSchema schema,
    Budget budget,
    BudgetScope scope,
    Budget totalBudget,
    EpochSchedule epochs,
    int backfill,
    int checkpointLeaks,
    Optional<GroupSettings> groups,
    OptionalLong expectedRows,
    List<SketchRequest> sketches,
    KafkaSettings kafka,
    Map<String, String> flink,
    ConfigPlaces places,
    Optional<RangeEstimates> estimates,
    Map<String, Double> spreads) {
  /** The rows expected in an epoch if the config does not say. */
  public static final long DEFAULT_EXPECTED_ROWS = 100_000;

  private static final Set<String> CHOOSE_BOUNDS =
      Set.of(
          TwoStageMoments.NAME,
          TwoStageStrata.NAME,
          DescentModel.NAME,
          DescentModel.HUBER,
          DescentModel.QUANTILE);
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,99}");

  /**
   * Reads a config.
   *
   * @throws ConfigException if the file cannot be read, or if a value is missing, unknown, not
   *     allowed or not supported yet
   */
  public static StreamConfig read(Path file) throws ConfigException {
    String text = YamlFile.text(file);
    YamlMap top = EncodingFile.resolve(top(file.toString(), text));
    return parse(top, file.toString(), text, RangeEstimates::placeholder);
  }

  static StreamRequest withoutSketches(
      YamlMap top,
      Budget budget,
      long expectedRows,
      boolean tight,
      boolean scaled,
      UnknownRanges unknown)
      throws ConfigException {
    return new StreamRequest(
        name(top),
        ColumnsReader.read(top, budget, expectedRows, tight, scaled, unknown),
        budget,
        PrivacyReader.scope(top),
        expectedRows,
        List.of(),
        List.of(new SketchRequest("any", NoisyMoments.NAME, 1.0, Map.of())),
        PrivacyReader.checkpointLeaks(top));
  }

  /**
   * Reads a config from its text.
   *
   * @param name the file's name in errors
   * @throws ConfigException if a value is missing, unknown, not allowed or not supported yet
   */
  public static StreamConfig parse(String name, String text) throws ConfigException {
    return parse(name, text, RangeEstimates::placeholder);
  }

  /**
   * Reads a config from its text.
   *
   * @param ranges gives columns of unknown range one
   */
  static StreamConfig parse(String name, String text, UnknownRanges ranges) throws ConfigException {
    return parse(EncodingFile.refuse(top(name, text)), name, text, ranges);
  }

  private static StreamConfig parse(YamlMap top, String name, String text, UnknownRanges ranges)
      throws ConfigException {
    name(top); // errors come in the order of the file
    OptionalLong rows = expectedRows(top);
    long planned = rows.orElse(DEFAULT_EXPECTED_ROWS);
    Budget budget = PrivacyReader.budget(top);
    List<EstimatedColumn> unknown = new ArrayList<>();
    UnknownRanges first =
        column -> {
          unknown.add(column);
          return ranges.column(column);
        };
    withoutSketches(top, budget, planned, true, true, first);
    StreamRequest asked = withoutSketches(top, budget, planned, true, true, ranges);
    boolean counts = SketchReader.countsRanges(top, !unknown.isEmpty());
    RowSchema counted =
        unknown.isEmpty() ? asked.schema() : RangeEstimates.counted(asked.schema(), unknown);
    EpochSchedule epochs = EpochsReader.read(top);
    Optional<GroupSettings> groups = GroupSettings.read(top);
    asked = counts ? asked.withSchema(counted) : asked;
    SketchReader reader = new SketchReader(asked, rows.isPresent());
    List<SketchRequest> sketches = counts ? reader.readRanges(top) : reader.read(top);
    boolean cells = has(NoisyHistogram.NAME, sketches); // clipping would move values into others
    if (cells || has(StratifiedMomentsNoise.NAME, sketches)) {
      // parts of ranges must be full
      asked = withoutSketches(top, budget, planned, !cells, false, ranges);
    }
    List<String> fields = fields(asked.schema(), asked.unit(), epochs, groups);
    KafkaSettings kafka = KafkaReader.read(top, epochs, fields);
    Budget totalBudget = PrivacyReader.totalBudget(top, asked, epochs);
    double share = PrivacyReader.rangeShare(top, !unknown.isEmpty() && !counts);
    if (!unknown.isEmpty() && !counts) {
      checkEstimates(top, asked, sketches);
    }
    new UnitRules(top, asked.budget(), asked.scope(), epochs, kafka.rows()).check();
    return new StreamConfig(
        asked.stream(),
        asked.schema(),
        asked.budget(),
        asked.scope(),
        totalBudget,
        epochs,
        EpochsReader.backfill(top),
        asked.checkpointLeaks(),
        groups,
        rows,
        sketches,
        kafka,
        FlinkReader.read(top),
        ConfigPlaces.of(name, top),
        unknown.isEmpty() || counts
            ? Optional.empty()
            : Optional.of(new RangeEstimates(counted, share, name, text)),
        ColumnsReader.spreads(top));
  }

  private static void checkEstimates(YamlMap top, StreamRequest asked, List<SketchRequest> sketches)
      throws ConfigException {
    if (!asked.scope().equals(BudgetScope.ROWS) || asked.checkpointLeaks() > 0) {
      throw top.require("columns", "")
          .error(
              "have range: estimate, which beside sketches takes a stream of unit row without"
                  + " cumulative releases and checkpointLeaks. For others count the ranges in a stream of"
                  + " its own, with mechanism: ranges");
    }
    if (sketches.stream().anyMatch(sketch -> sketch.name().equals(RangeEstimates.SKETCH))) {
      throw top.require("columns", "")
          .error(
              "have range: estimate, whose release is named ranges: no sketch may have that name");
    }
  }

  /**
   * Checks that no range is left to be chosen.
   *
   * @param verb the verb that needs them
   * @throws ConfigException if there is one; the message says how to choose it
   */
  public void requireKnownRanges(String verb) throws ConfigException {
    if (estimates.isPresent()) {
      throw new ConfigException(
          places.of("columns")
              + "columns "
              + estimates.get().names()
              + " have range: estimate, and "
              + verb
              + " needs ranges before the first row is read. Release counts of earlier rows with gauze"
              + " sketch --csv (mechanism: ranges), and write the ranges that it prints in place of"
              + " range: estimate");
    }
  }

  /**
   * Checks that ranges can be chosen in a stream, from rows of an epoch before the others.
   *
   * @throws ConfigException if all rows are in one epoch
   */
  public void requireEpochsForRanges() throws ConfigException {
    if (estimates.isPresent() && epochs.isAll()) {
      throw new ConfigException(
          places.of("columns")
              + "columns "
              + estimates.get().names()
              + " have range: estimate, which counts the rows of a first epoch, and epochs.length all has"
              + " no later one. Give epochs.length a duration such as PT1H; or, for a file, use gauze"
              + " sketch --csv");
    }
  }

  private static boolean has(String mechanism, List<SketchRequest> sketches) {
    return sketches.stream().anyMatch(sketch -> sketch.mechanism().equals(mechanism));
  }

  /** Returns the fields that are read of each row. */
  private static List<String> fields(
      RowSchema schema, PrivacyUnit unit, EpochSchedule epochs, Optional<GroupSettings> groups) {
    Set<String> fields = new LinkedHashSet<>(schema.fields());
    unit.field().ifPresent(fields::add);
    if (epochs.time().kind() == RowTime.Kind.EVENT) {
      fields.add(epochs.time().field());
    }
    groups.ifPresent(group -> fields.add(group.field()));
    return List.copyOf(fields);
  }

  private static String name(YamlMap top) throws ConfigException {
    String allowed = "lower-case letters, digits and hyphens, at most 100";
    return top.require("stream", allowed).text(NAME, allowed);
  }

  static YamlMap top(String name, String text) throws ConfigException {
    YamlValue document = YamlFile.parse(name, text);
    YamlMap top = document.map("keys and values, beginning with stream");
    top.only(StreamKeys.TOP);
    document.requireFilledIn();
    return top;
  }

  /**
   * Returns the request from which the sketches are planned.
   *
   * @param assumptions the assumptions of the guarantee, see {@link StreamRequest}
   */
  public StreamRequest request(List<String> assumptions) {
    return new StreamRequest(
        stream,
        schema,
        budget,
        scope,
        expectedRows.orElse(DEFAULT_EXPECTED_ROWS),
        assumptions,
        sketches,
        checkpointLeaks,
        RangeBudget.ofShare(estimates.map(RangeEstimates::share).orElse(0.0)));
  }

  /** Returns where a key is in the file, as the beginning of a message. */
  public String place(String key) {
    return places.of(key);
  }

  /**
   * Returns a hint if typical values or spreads, which the config lacks, may make fits more
   * accurate. A histogram uses none, and what finds out where rows lie hardly needs them.
   */
  public Optional<String> hint() {
    return has(NoisyHistogram.NAME, sketches)
            || choosesBounds()
            || places.lines().containsKey(EncodingFile.KEY)
        ? Optional.empty()
        : TypicalValues.hint(places.lines().keySet());
  }

  /**
   * Returns true if all releases shorten rows to bounds that they choose: the row bound of the
   * config is then that of their first sums only.
   */
  public boolean choosesBounds() {
    return sketches.stream().allMatch(sketch -> CHOOSE_BOUNDS.contains(sketch.mechanism()));
  }

  /** The unit whose data are protected. */
  public PrivacyUnit unit() {
    return scope.unit();
  }

  /** Returns a copy with another broker. */
  public StreamConfig withBootstrap(String address) {
    return with(epochs, kafka.withBootstrap(address));
  }

  /** Returns a copy with a broker that needs no properties of Kafka's clients. */
  public StreamConfig withPlainBroker(String address) {
    return with(epochs, kafka.withPlainBroker(address));
  }

  /** Returns a copy whose first epoch is named. */
  public StreamConfig beginningWith(long epoch) {
    return with(epochs.beginningWith(epoch), kafka);
  }

  /**
   * Returns a copy of another name, whose topics are its own: their names begin with the name of
   * the stream.
   */
  public StreamConfig named(String other) {
    return with(other, epochs, kafka.withTopics(kafka.topics().ofStream(other)));
  }

  private StreamConfig with(EpochSchedule schedule, KafkaSettings other) {
    return with(stream, schedule, other);
  }

  private StreamConfig with(String name, EpochSchedule schedule, KafkaSettings other) {
    return new StreamConfig(
        name,
        schema,
        budget,
        scope,
        totalBudget,
        schedule,
        backfill,
        checkpointLeaks,
        groups,
        expectedRows,
        sketches,
        other,
        flink,
        places,
        estimates,
        spreads);
  }

  /**
   * The field of a row that is the record's key in records that Gauze itself writes, if there is
   * one.
   */
  public Optional<String> keyField() {
    return kafka.rows().key().flatMap(RowsSettings.KeySource::field).or(() -> unit().field());
  }

  /**
   * Checks that a file of plain rows can take the place of the stream: its unit is a row, and it
   * has neither groups nor cumulative releases.
   *
   * @param verb the verb that needs this
   * @throws ConfigException if the stream has groups, users, a table or cumulative releases; the
   *     message names which
   */
  public void requirePlainRows(String verb) throws ConfigException {
    String ofUnit =
        scope.releases().isCumulative()
            ? "cumulative releases"
            : "the privacy unit " + unit().label();
    String has = groups.isPresent() ? "groups" : scope.equals(BudgetScope.ROWS) ? "" : ofUnit;
    if (!has.isEmpty()) {
      throw new ConfigException(
          verb
              + " takes streams of unit row, without groups or cumulative releases. Provided value: a config with "
              + has
              + "; use gauze up and gauze send, which run the whole stream");
    }
  }

  /** Returns a copy with another format or other keys of the rows. */
  public StreamConfig withRows(RowsSettings rows) {
    return with(epochs, kafka.withRows(rows));
  }

  /** Returns a copy with other epochs. */
  public StreamConfig withEpochs(EpochSchedule other) {
    return with(other, kafka);
  }

  /** Returns a copy with another budget, which is also the total budget. */
  public StreamConfig withBudget(Budget other) {
    return new StreamConfig(
        stream,
        schema,
        other,
        scope,
        other,
        epochs,
        backfill,
        checkpointLeaks,
        groups,
        expectedRows,
        sketches,
        kafka,
        flink,
        places,
        estimates,
        spreads);
  }

  static OptionalLong expectedRows(YamlMap top) throws ConfigException {
    Optional<YamlValue> value = top.get("expectedRows");
    return value.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(value.get().whole(1, Grid.MAX_ROWS));
  }
}
