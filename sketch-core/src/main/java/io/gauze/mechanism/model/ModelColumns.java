package io.gauze.mechanism.model;

import io.gauze.mechanism.MechanismOption;
import io.gauze.mechanism.SketchRequest;
import io.gauze.payload.PayloadParameters;
import io.gauze.row.RowSchema;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The response and the features of a model.
 *
 * @param response the index of the encoded column that is predicted
 * @param responseName the name of that column
 * @param features the indexes of the encoded columns that predict it, rising; 0, the intercept,
 *     first
 * @param named the names of the features as the config gives them, with commas between; empty if it
 *     gives none
 */
public record ModelColumns(int response, String responseName, List<Integer> features, String named)
    implements Serializable {
  public static final MechanismOption RESPONSE = MechanismOption.response();
  public static final MechanismOption FEATURES =
      MechanismOption.columns("features")
          .or("all others")
          .means("What it is explained by, beside the intercept. They do not name the response.");

  /** The options that all models have. */
  public static final List<MechanismOption> OPTIONS = List.of(RESPONSE, FEATURES);

  /** Copies the features. */
  public ModelColumns {
    features = List.copyOf(features);
  }

  /**
   * Returns the columns of a model that is asked for: all but the response are features if the
   * config names none.
   *
   * @throws IllegalArgumentException if a name is unknown, or the response is a feature; the
   *     message begins with the option
   */
  public static ModelColumns of(RowSchema schema, SketchRequest sketch) {
    int response = sketch.response(schema);
    return of(schema, response, sketch.word(FEATURES.name(), ""));
  }

  /** Returns the columns of a release. */
  public static ModelColumns of(PayloadParameters header) {
    Map<String, String> settings = header.settings();
    int response = header.schema().encodedIndex(settings.getOrDefault(RESPONSE.name(), ""));
    return of(header.schema(), response, settings.getOrDefault(FEATURES.name(), ""));
  }

  private static ModelColumns of(RowSchema schema, int response, String named) {
    String name = schema.encodedNames().get(response);
    if (named.isEmpty()) {
      List<Integer> others =
          IntStream.range(0, schema.dimension()).filter(i -> i != response).boxed().toList();
      return new ModelColumns(response, name, others, named);
    }
    TreeSet<Integer> features = new TreeSet<>(List.of(0));
    for (String feature : MechanismOption.names(named)) {
      int index = schema.encodedIndex(FEATURES.name(), feature);
      if (index == response || !features.add(index)) {
        throw new IllegalArgumentException(
            "features must be distinct and not the response, and the intercept is one anyway."
                + " Provided value: "
                + feature
                + " again");
      }
    }
    return new ModelColumns(response, name, new ArrayList<>(features), named);
  }

  /** Returns the features of an encoded row. */
  public double[] features(double... row) {
    double[] values = new double[features.size()];
    for (int k = 0; k < values.length; k++) {
      values[k] = row[features.get(k)];
    }
    return values;
  }

  /** The settings of a release. */
  public Map<String, String> settings() {
    Map<String, String> settings = new TreeMap<>(Map.of(RESPONSE.name(), responseName));
    if (!named.isEmpty()) {
      settings.put(FEATURES.name(), named);
    }
    return settings;
  }
}
