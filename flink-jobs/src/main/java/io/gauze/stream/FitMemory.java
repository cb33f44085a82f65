package io.gauze.stream;

import io.gauze.mechanism.EpochFit;
import io.gauze.mechanism.HeldRows;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The memory that the rows of models take while they are read, up to a limit. Beyond it the largest
 * lists are let go of: their rows are read again, into memory once there is room, or for each pass
 * of the fit. Not thread-safe.
 */
public final class FitMemory {
  private final long limit;
  private long taken;

  /**
   * Creates an account of no rows.
   *
   * @param limit in bytes
   */
  public FitMemory(long limit) {
    this.limit = limit;
  }

  /** Adds a row to a fit, as {@link EpochFit#add} does. */
  public void add(EpochFit fit, double... scaled) {
    long before = fit.bytes();
    fit.add(scaled);
    taken += fit.bytes() - before;
  }

  /** Returns whether rows must be let go of. */
  public boolean isFull() {
    return taken > limit;
  }

  /**
   * Returns those models of which the rows must be let go of, so that the rest is within the limit:
   * the largest ones. The caller lets go of them.
   *
   * @param fit of a model
   */
  public <T> List<T> beyond(List<T> models, Function<T, EpochFit> fit) {
    List<T> largest =
        models.stream()
            .filter(model -> isHeld(fit.apply(model)) && fit.apply(model).held().isPresent())
            .sorted(Comparator.comparing(model -> -fit.apply(model).bytes()))
            .toList();
    List<T> beyond = new ArrayList<>();
    for (int i = 0; i < largest.size() && isFull(); i++) {
      taken -= fit.apply(largest.get(i)).bytes();
      beyond.add(largest.get(i));
    }
    return beyond;
  }

  /**
   * Returns those models whose rows fit into memory together, in their order: all rows of a model
   * or none.
   *
   * @param rows of a model, which were let go of
   */
  public <T> List<T> fitting(List<T> models, Function<T, HeldRows> rows) {
    List<T> fitting = new ArrayList<>();
    long left = limit - taken;
    for (T model : models) {
      long bytes = rows.apply(model).rows().wholeBytes();
      if (bytes <= left) {
        left -= bytes;
        fitting.add(model);
      }
    }
    return fitting;
  }

  /** Returns whether all that a fit needs of its rows is in memory. */
  public static boolean isHeld(EpochFit fit) {
    return fit.held().map(held -> held.rows().isHeld()).orElse(true);
  }
}
