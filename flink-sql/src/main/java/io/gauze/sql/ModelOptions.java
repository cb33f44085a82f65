package io.gauze.sql;

import io.gauze.fit.PredictionReport.Interval;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;

/** The options of a model. Those of the fit have the names and meaning that they have over HTTP. */
final class ModelOptions {
  static final ConfigOption<List<String>> RELEASE =
      ConfigOptions.key("release")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription(
              "Files of releases, .avro, with semicolons between them: one, or several that are"
                  + " added up. Any file system of Flink.");

  static final ConfigOption<String> RESPONSE =
      ConfigOptions.key("response").stringType().noDefaultValue();
  static final ConfigOption<String> INTERVAL =
      ConfigOptions.key("interval").stringType().defaultValue(Interval.CONFIDENCE.word());

  private static final ConfigOption<String> FEATURES =
      ConfigOptions.key("features").stringType().noDefaultValue();
  private static final ConfigOption<String> LOSS =
      ConfigOptions.key("loss").stringType().noDefaultValue();
  private static final ConfigOption<Double> LAMBDA =
      ConfigOptions.key("lambda").doubleType().noDefaultValue();
  private static final ConfigOption<Double> ALPHA =
      ConfigOptions.key("alpha").doubleType().noDefaultValue();
  private static final ConfigOption<Double> QUANTILE =
      ConfigOptions.key("quantile").doubleType().noDefaultValue();
  private static final ConfigOption<Double> HUBER_THRESHOLD =
      ConfigOptions.key("huber-threshold").doubleType().noDefaultValue();
  private static final ConfigOption<Boolean> FREE_INTERCEPT =
      ConfigOptions.key("free-intercept").booleanType().noDefaultValue();
  private static final ConfigOption<Boolean> STRICT =
      ConfigOptions.key("strict").booleanType().noDefaultValue();
  private static final ConfigOption<Double> LEVEL =
      ConfigOptions.key("level").doubleType().noDefaultValue();

  /** Those that a model need not have. */
  static final Set<ConfigOption<?>> OPTIONAL =
      Set.of(
          INTERVAL,
          FEATURES,
          LOSS,
          LAMBDA,
          ALPHA,
          QUANTILE,
          HUBER_THRESHOLD,
          FREE_INTERCEPT,
          STRICT,
          LEVEL);

  private ModelOptions() {}

  /** Returns the question that a model asks. */
  static SqlQuestion question(ReadableConfig options) {
    return SqlQuestion.of(options.get(RESPONSE))
        .with("features", options.get(FEATURES))
        .with("loss", options.get(LOSS))
        .with("lambda", options.get(LAMBDA))
        .with("alpha", options.get(ALPHA))
        .with("quantile", options.get(QUANTILE))
        .with("huberThreshold", options.get(HUBER_THRESHOLD))
        .with("freeIntercept", options.get(FREE_INTERCEPT))
        .with("strict", options.get(STRICT))
        .with("level", options.get(LEVEL));
  }
}
