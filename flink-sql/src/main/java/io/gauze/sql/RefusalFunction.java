package io.gauze.sql;

import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ScalarFunction;

/**
 * {@code GAUZE_REFUSAL}: the code and the reason why {@code GAUZE_FIT} of the same arguments has no
 * row; NULL if it has rows.
 */
public final class RefusalFunction extends ScalarFunction {
  private static final long serialVersionUID = 1L;

  private transient ReleaseFits fits;

  @Override
  public void open(FunctionContext context) {
    fits = new ReleaseFits();
  }

  /** Called for each row. The arguments after the first are those of a fit over HTTP. */
  public @DataTypeHint("STRING") String eval(
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
      fits.report(body, question);
      return null;
    } catch (RefusedException e) {
      return e.brief();
    }
  }
}
