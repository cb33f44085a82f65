package io.gauze.solver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.source.WireType;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * A fit on a release, or why there is none, as it stands in the answers topic: a JSON object.
 *
 * @param release the release's id
 * @param mechanism how the release was made private
 * @param response the column that was explained
 * @param loss the loss, such as ridge
 * @param lambda the ridge that was used, in the encoded scale
 * @param coefficients by column, in the user's units; empty if there is no fit
 * @param standardErrors by column, in the user's units: sampling and privacy noise together
 * @param encodedCoefficients by column, in the encoded scale
 * @param guarantee what the release promises, in a sentence
 * @param warnings what to know before the fit is used; the reason, if there is none
 */
public record Answer(
    String release,
    String mechanism,
    String response,
    String loss,
    double lambda,
    Map<String, Double> coefficients,
    Map<String, Double> standardErrors,
    Map<String, Double> encodedCoefficients,
    String guarantee,
    List<String> warnings) {
  /** The Flink type of answers. */
  public static final WireType<Answer> TYPE = WireType.of(Answer.class, Codec.class);

  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /** Nothing is missing. */
  public Answer {
    Objects.requireNonNull(release, "release");
    Objects.requireNonNull(mechanism, "mechanism");
    Objects.requireNonNull(response, "response");
    Objects.requireNonNull(loss, "loss");
    Objects.requireNonNull(guarantee, "guarantee");
    coefficients = ordered(coefficients);
    standardErrors = ordered(standardErrors);
    encodedCoefficients = ordered(encodedCoefficients);
    warnings = List.copyOf(warnings);
  }

  private static Map<String, Double> ordered(Map<String, Double> values) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  /** The JSON object. */
  public byte[] toJson() {
    try {
      return JSON.writeValueAsBytes(this);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("an answer is always JSON", e);
    }
  }

  /** Version 1: length, JSON. */
  public static final class Codec implements WireType.Codec<Answer> {
    private static final long serialVersionUID = 1L;
    private static final int VERSION = 1;

    /** For Flink. */
    public Codec() {}

    @Override
    public void write(Answer answer, DataOutputView out) throws IOException {
      byte[] json = answer.toJson();
      out.writeByte(VERSION);
      out.writeInt(json.length);
      out.write(json);
    }

    @Override
    public Answer read(DataInputView in) throws IOException {
      WireType.Codec.version(in, VERSION, "answer");
      byte[] json = new byte[in.readInt()];
      in.readFully(json);
      return fromJson(json);
    }
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws IOException if the bytes are no answer
   */
  public static Answer fromJson(byte[] json) throws IOException {
    return JSON.readValue(json, Answer.class);
  }
}
