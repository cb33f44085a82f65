package io.gauze.sql;

import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.FunctionHint;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.TableFunction;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.types.Row;

/**
 * {@code GAUZE_FIT}: the fit of releases, one row for each term of the model; none if there is no
 * fit, of which {@code GAUZE_REFUSAL} says why. The figures are those of the HTTP service. A
 * question of literals that is wrong is an error of the statement.
 */
@FunctionHint(output = @DataTypeHint("ROW<" + TermRow.TYPE + ">"))
public final class FitFunction extends TableFunction<Row> {
  private static final long serialVersionUID = 1L;

  private transient ReleaseFits fits;

  @Override
  public TypeInference getTypeInference(DataTypeFactory types) {
    return LiteralQuestion.of(super.getTypeInference(types));
  }

  @Override
  public void open(FunctionContext context) {
    fits = new ReleaseFits();
  }

  /** Called for each row. The arguments after the first are those of a fit over HTTP. */
  public void eval(
      @ArgumentHint(name = "body", type = @DataTypeHint("BYTES")) byte[] body,
      @ArgumentHint(name = "response", type = @DataTypeHint("STRING")) String response,
      @ArgumentHint(name = "features", type = @DataTypeHint("STRING"), isOptional = true)
          String features,
      @ArgumentHint(name = "loss", type = @DataTypeHint("STRING"), isOptional = true) String loss,
      @ArgumentHint(name = "lambda", type = @DataTypeHint("DOUBLE"), isOptional = true)
          Double lambda,
      @ArgumentHint(name = "alpha", type = @DataTypeHint("DOUBLE"), isOptional = true) Double alpha,
      @ArgumentHint(name = "quantile", type = @DataTypeHint("DOUBLE"), isOptional = true)
          Double quantile,
      @ArgumentHint(name = "huber_threshold", type = @DataTypeHint("DOUBLE"), isOptional = true)
          Double huberThreshold,
      @ArgumentHint(name = "free_intercept", type = @DataTypeHint("BOOLEAN"), isOptional = true)
          Boolean freeIntercept,
      @ArgumentHint(name = "strict", type = @DataTypeHint("BOOLEAN"), isOptional = true)
          Boolean strict,
      @ArgumentHint(name = "scale", type = @DataTypeHint("STRING"), isOptional = true) String scale,
      @ArgumentHint(name = "level", type = @DataTypeHint("DOUBLE"), isOptional = true)
          Double level) {
    SqlQuestion question =
        SqlQuestion.of(response)
            .with("features", features)
            .with("loss", loss)
            .with("lambda", lambda)
            .with("alpha", alpha)
            .with("quantile", quantile)
            .with("huberThreshold", huberThreshold)
            .with("freeIntercept", freeIntercept)
            .with("strict", strict)
            .with("scale", scale)
            .with("level", level);
    try {
      TermRow.all(fits.report(body, question)).forEach(this::collect);
    } catch (RefusedException e) {
      return; // no row: GAUZE_REFUSAL gives the reason
    }
  }
}
