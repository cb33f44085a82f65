package io.gauze.sql;

import io.gauze.fit.BestFit;
import io.gauze.fit.FeatureRows;
import io.gauze.fit.PredictionReport.Interval;
import io.gauze.report.ServiceMessage;
import io.gauze.row.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ResolvedCatalogModel;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModelProviderFactory;
import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.table.ml.ModelProvider;
import org.apache.flink.table.ml.PredictRuntimeProvider;

/**
 * Models of {@code CREATE MODEL ... WITH ('provider' = 'gauze')}, for {@code ML_PREDICT}: a fit of
 * releases. They are read, and fitted, when a query is planned, and travel in its job: what a
 * running query predicts never changes.
 */
public final class GauzeModelFactory implements ModelProviderFactory {
  @Override
  public String factoryIdentifier() {
    return "gauze";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of(ModelOptions.RELEASE, ModelOptions.RESPONSE);
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return ModelOptions.OPTIONAL;
  }

  @Override
  public ModelProvider createModelProvider(Context context) {
    FactoryUtil.ModelProviderFactoryHelper helper =
        FactoryUtil.createModelProviderFactoryHelper(this, context);
    helper.validate();
    try {
      return new Provider(function(context.getCatalogModel(), helper.getOptions()));
    } catch (RefusedException e) {
      throw e.ofStatement();
    }
  }

  private static PredictionFunction function(ResolvedCatalogModel model, ReadableConfig options)
      throws RefusedException {
    SqlQuestion question = ModelOptions.question(options);
    Interval interval = interval(options.get(ModelOptions.INTERVAL));
    ReleaseFits.level(question);
    byte[] releases = read(options.get(ModelOptions.RELEASE));
    BestFit fit = new ReleaseFits().fit(releases, question);
    List<String> inputs = model.getResolvedInputSchema().getColumnNames();
    checkInputs(fit, inputs);
    return new PredictionFunction(
        releases, question, interval, inputs, PredictionColumn.of(model.getResolvedOutputSchema()));
  }

  private static Interval interval(String word) throws RefusedException {
    try {
      return Interval.of(ModelOptions.INTERVAL.key(), word);
    } catch (IllegalArgumentException e) {
      throw RefusedException.of(ServiceMessage.REQUEST, e.getMessage());
    }
  }

  private static byte[] read(List<String> files) throws RefusedException {
    List<byte[]> releases = new ArrayList<>();
    for (String file : files) {
      if (!file.endsWith(".avro")) {
        throw RefusedException.of(
            ServiceMessage.REQUEST,
            ModelOptions.RELEASE.key()
                + " must be files that end with .avro: what a query predicts must not depend on"
                + " when it is planned. Provided value: "
                + file);
      }
      Path path = new Path(file);
      try (FSDataInputStream in = path.getFileSystem().open(path)) {
        releases.add(in.readAllBytes());
      } catch (IOException e) {
        throw RefusedException.of(
            ServiceMessage.NORELEASE, "cannot read " + file + ": " + e.getMessage());
      }
    }
    return ReleaseBundle.of(releases);
  }

  private static void checkInputs(BestFit fit, List<String> inputs) {
    BestFit.Attempt attempt = fit.best().orElseThrow();
    List<String> fields =
        new FeatureRows(attempt.source().schema(), attempt.fit().orElseThrow().problem())
            .columns().stream().map(Column::source).distinct().toList();
    if (!inputs.containsAll(fields)) {
      throw new ValidationException(
          "INPUT must have the columns "
              + String.join(", ", fields)
              + ". Provided value: "
              + String.join(", ", inputs));
    }
  }

  private record Provider(PredictionFunction function) implements PredictRuntimeProvider {
    @Override
    public PredictFunction createPredictFunction(ModelProvider.Context context) {
      return function;
    }

    @Override
    public ModelProvider copy() {
      return this;
    }
  }
}
