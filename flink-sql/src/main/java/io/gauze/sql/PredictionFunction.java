package io.gauze.sql;

import io.gauze.fit.BestFit;
import io.gauze.fit.Predicted;
import io.gauze.fit.PredictionReport.Interval;
import io.gauze.fit.Predictor;
import io.gauze.row.RowRejectedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.PredictFunction;

/**
 * Predicts rows by a fit that travels in the job. A row that cannot be encoded, such as one with an
 * unknown category, gets NULLs. Public since code that Flink generates calls it.
 */
public final class PredictionFunction extends PredictFunction {
  private static final long serialVersionUID = 1L;

  private final byte[] releases;
  private final SqlQuestion question;
  private final Interval interval;
  private final ArrayList<String> inputs;
  private final ArrayList<PredictionColumn> outputs;

  private transient Predictor predictor;

  PredictionFunction(
      byte[] releases,
      SqlQuestion question,
      Interval interval,
      List<String> inputs,
      List<PredictionColumn> outputs) {
    this.releases = releases;
    this.question = question;
    this.interval = interval;
    this.inputs = new ArrayList<>(inputs);
    this.outputs = new ArrayList<>(outputs);
  }

  @Override
  public void open(FunctionContext context) throws Exception {
    BestFit fit = new ReleaseFits().fit(releases, question); // was found when the query was planned
    predictor = new Predictor(fit.best().orElseThrow(), ReleaseFits.level(question), interval);
  }

  @Override
  public Collection<RowData> predict(RowData row) {
    GenericRowData input = (GenericRowData) row; // as Flink's generated code makes it
    GenericRowData output = new GenericRowData(outputs.size());
    try {
      Predicted predicted = predictor.predict(field -> value(input, inputs.indexOf(field)));
      for (int k = 0; k < outputs.size(); k++) {
        output.setField(k, outputs.get(k).value(predicted));
      }
    } catch (RowRejectedException e) {
      return List.of(new GenericRowData(outputs.size())); // NULLs
    }
    return List.of(output);
  }

  // The value has the caller's type, not that of INPUT.
  private static Object value(GenericRowData row, int column) {
    Object value = row.getField(column);
    return value instanceof DecimalData decimal ? decimal.toBigDecimal() : value;
  }
}
