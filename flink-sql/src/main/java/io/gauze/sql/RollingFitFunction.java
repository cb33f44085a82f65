package io.gauze.sql;

import static org.apache.flink.table.annotation.ArgumentTrait.SET_SEMANTIC_TABLE;

import io.gauze.answer.ReleaseRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.annotation.FunctionHint;
import org.apache.flink.table.annotation.StateHint;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.ProcessTableFunction;
import org.apache.flink.types.Row;

/**
 * {@code GAUZE_ROLLING_FIT}: the fit of the last epochs of a series, anew with each release that
 * comes. A release that is older than they are changes nothing. Streaming only.
 */
@FunctionHint(
    output =
        @DataTypeHint(
            "ROW<first_epoch STRING NOT NULL, last_epoch STRING NOT NULL, epochs INT NOT NULL, "
                + TermRow.TYPE
                + ">"))
public final class RollingFitFunction extends ProcessTableFunction<Row> {
  private static final long serialVersionUID = 1L;

  private transient ReleaseFits fits;

  /** The last releases of a series. */
  public static final class Kept {
    /** By epoch. */
    public Map<String, byte[]> bodies = new HashMap<>();
  }

  @Override
  public void open(FunctionContext context) {
    fits = new ReleaseFits();
  }

  /**
   * Called for each row.
   *
   * @param releases a row of a table with the columns epoch and body, partitioned by series
   * @param epochs how many, at least 1
   */
  public void eval(
      @StateHint Kept kept,
      @ArgumentHint(name = "releases", value = SET_SEMANTIC_TABLE) Row releases,
      @ArgumentHint(name = "epochs", type = @DataTypeHint("INT")) Integer epochs,
      @ArgumentHint(name = "response", type = @DataTypeHint("STRING")) String response,
      @ArgumentHint(name = "features", type = @DataTypeHint("STRING"), isOptional = true)
          String features,
      @ArgumentHint(name = "loss", type = @DataTypeHint("STRING"), isOptional = true) String loss,
      @ArgumentHint(name = "level", type = @DataTypeHint("DOUBLE"), isOptional = true)
          Double level) {
    if (epochs == null || epochs < 1) {
      throw new IllegalArgumentException("epochs must be at least 1. Provided value: " + epochs);
    }
    String epoch = releases.getFieldAs("epoch");
    byte[] body = releases.getFieldAs("body");
    if (epoch == null || body == null) {
      return; // a damaged record
    }
    TreeMap<String, byte[]> last = new TreeMap<>(ReleaseRange.BY_EPOCH);
    last.putAll(kept.bodies);
    last.put(epoch, body);
    while (last.size() > epochs) {
      last.pollFirstEntry();
    }
    if (!last.containsKey(epoch)) {
      return;
    }
    kept.bodies = new HashMap<>(last);
    SqlQuestion question =
        SqlQuestion.of(response).with("features", features).with("loss", loss).with("level", level);
    try {
      byte[] all = ReleaseBundle.of(new ArrayList<>(last.values()));
      TermRow.all(fits.report(all, question), last.firstKey(), last.lastKey(), last.size())
          .forEach(this::collect);
    } catch (RefusedException e) {
      return; // no row: GAUZE_REFUSAL of GAUZE_MERGE gives the reason
    }
  }
}
