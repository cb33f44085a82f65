package io.gauze.mechanism.select;

import io.gauze.accounting.UnitKind;
import io.gauze.internal.Checks;
import io.gauze.mechanism.ExpectedSquares;
import io.gauze.mechanism.Mechanism;
import io.gauze.mechanism.MechanismKind;
import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.MechanismProvider;
import io.gauze.mechanism.Moments;
import io.gauze.mechanism.SketchRequest;
import io.gauze.mechanism.StreamRequest;
import io.gauze.mechanism.UncalibratedMechanism;
import io.gauze.message.Message;
import io.gauze.message.PlanMessage;
import io.gauze.model.ModelRows;
import io.gauze.payload.Payload;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import io.gauze.sketch.EmptySketchSpec;
import io.gauze.sketch.SecondMomentsSpec;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What both forms of {@code select-fit} have in common: options and sizes. */
final class SelectFitKind {
  static final String SELECTED = "selected";
  static final String RESPONSE = SketchRequest.RESPONSE;
  static final String ROUNDS = "rounds";
  static final String READINGS = "readings";
  static final int MOST_SELECTED = 256;
  private static final int DEFAULT_SELECTED = 12;
  private static final int MOST_ROUNDS = 8;

  /** Half of the rows that can be read again: an epoch may have twice the expected ones. */
  private static final long MOST_EXPECTED = ModelRows.MOST_ROWS / 2;

  static final MechanismKind KIND =
      new MechanismKind(
          SelectFit.NAME,
          List.of(
              MechanismOption.response(),
              MechanismOption.whole(SELECTED, 1, MOST_SELECTED)
                  .or(DEFAULT_SELECTED + ", or all if there are fewer")
                  .means("How many encoded columns are selected."),
              MechanismOption.whole(ROUNDS, 1, MOST_ROUNDS)
                  .orPlanned()
                  .means("In how many rounds columns are selected, at most `selected`."),
              MechanismOption.whole(READINGS, 1, 2)
                  .or(
                      "2 if `privacy.unit` is `row` and `expectedRows` at most "
                          + MOST_EXPECTED
                          + ", else 1")
                  .means("How often the rows of an epoch are read.")),
          false,
          SelectFitKind::sized,
          Optional.empty(),
          SelectFitKind::payload,
          SelectFitKind::warnings,
          new MechanismKind.Proof(
              "columns are drawn by the exponential mechanism, whose bounded range r is sqrt(2 pi)"
                  + " r / 4 Gaussian-DP; one row, of norm at most B in the selected columns,"
                  + " changes their moments by at most B^2 in Frobenius norm (replaced: sqrt 2"
                  + " B^2)",
              List.of("with readings: 1, " + Moments.NO_OVERFLOW),
              false));

  private SelectFitKind() {}

  private static UncalibratedMechanism sized(
      StreamRequest stream, SketchRequest sketch, double mu) {
    RowSchema schema = stream.schema();
    int response = sketch.response(schema);
    int selected = selected(schema, sketch);
    int rounds = rounds(stream, sketch, mu, selected);
    boolean twice = readings(stream, sketch) == 2;
    return UncalibratedMechanism.gaussian(
        twice ? new EmptySketchSpec(schema.dimension()) : new SecondMomentsSpec(schema.dimension()),
        selected + rounds * triangle(selected),
        spent ->
            twice
                ? SelectFitRows.of(stream, response, selected, rounds, spent)
                : SelectFit.of(stream, response, selected, rounds, spent));
  }

  private static int readings(StreamRequest stream, SketchRequest sketch) {
    boolean ofRows = stream.unit().kind() == UnitKind.ROW;
    boolean isShort = stream.expectedRows() <= MOST_EXPECTED;
    long readings = sketch.whole(READINGS).orElse(ofRows && isShort ? 2 : 1);
    if (readings == 2 && !ofRows) {
      throw new IllegalArgumentException(
          "readings must be 1 unless privacy.unit is row. Provided value: 2 with "
              + stream.unit().description());
    }
    if (readings == 2 && !isShort) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "readings must be 1 if expectedRows is above %,d; or make epochs shorter. Provided"
                  + " value: 2 with expectedRows %,d",
              MOST_EXPECTED,
              stream.expectedRows()));
    }
    return (int) readings;
  }

  private static int selected(RowSchema schema, SketchRequest sketch) {
    int candidates = schema.dimension() - 2;
    if (candidates < 1) {
      throw new IllegalArgumentException(
          SelectFit.NAME
              + " needs a column beside the response. Provided value: "
              + schema.encodedNames());
    }
    long selected = sketch.whole(SELECTED).orElse(Math.min(DEFAULT_SELECTED, candidates));
    if (selected > candidates) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "selected must be at most %d, the encoded columns beside the response. Provided"
                  + " value: %d",
              candidates,
              selected));
    }
    return (int) selected;
  }

  private static int rounds(StreamRequest stream, SketchRequest sketch, double mu, int selected) {
    double square = ExpectedSquares.mean(stream.schema());
    boolean isClear = stream.expectedRows() * square * mu >= Tuning.CLEAR * stream.unit().rows();
    long planned = isClear ? Math.min(Tuning.ROUNDS, selected) : 1;
    long rounds = sketch.whole(ROUNDS).orElse(planned);
    if (rounds > selected) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "rounds must be at most selected, %d. Provided value: %d",
              selected,
              rounds));
    }
    return (int) rounds;
  }

  /** Returns the length of the moments of the intercept, some columns and the response. */
  static int triangle(int selected) {
    return (selected + 2) * (selected + 3) / 2;
  }

  private static Payload payload(PayloadParameters header) {
    String name = header.settings().getOrDefault(RESPONSE, "");
    int response = header.schema().encodedIndex(name);
    Checks.within("response", response, 1, header.dimension() - 1);
    int most = Math.min(MOST_SELECTED, header.dimension() - 2);
    return new Payload.SelectedMoments(
        header.dimension(), response, header.whole(SELECTED, 1, most), header.encodedSigma());
  }

  private static List<Message> warnings(StreamRequest stream, String sketch, Mechanism mechanism) {
    int candidates = stream.schema().dimension() - 2;
    return mechanism.parameters().get(SELECTED) < candidates
        ? List.of()
        : List.of(PlanMessage.ALLCHOSEN.of(sketch, candidates));
  }

  /** Registers the mechanism. */
  public static final class Provider implements MechanismProvider {
    @Override
    public MechanismKind kind() {
      return KIND;
    }

    @Override
    public boolean isRecommended() {
      return true;
    }
  }
}
