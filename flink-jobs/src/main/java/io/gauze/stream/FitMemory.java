package io.gauze.stream;

import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The memory that the rows of models take while they are read and fitted, of room that others may
 * share. Beyond it the largest of these lists are let go of: their rows are read again, into memory
 * once there is room, or for each pass of the fit. Not thread-safe.
 */
public final class FitMemory implements AutoCloseable {
  private final FitRoom room;
  private long taken;

  /** Creates an account of no rows. */
  public FitMemory(FitRoom room) {
    this.room = room;
  }

  /** Adds a row to a fit, as {@link EpochFitter#add} does. */
  public void add(EpochFitter fit, double... scaled) {
    long before = inMemory(fit);
    fit.add(scaled);
    take(inMemory(fit) - before);
  }

  private void take(long bytes) {
    if (bytes != 0) {
      taken += bytes;
      room.take(bytes);
    }
  }

  /** Gives back the room of a fit that is done. */
  public void done(EpochFitter fit) {
    take(-inMemory(fit));
  }

  /** Gives back all room. */
  @Override
  public void close() {
    take(-taken);
  }

  private static long inMemory(EpochFitter fit) {
    Optional<BufferedEpochFit> held = fit.held();
    return held.isPresent() && held.get().rows().isHeld() ? held.get().bytes() : 0L;
  }

  /** Returns whether rows must be let go of. */
  public boolean isFull() {
    return room.left() < 0 && taken > 0;
  }

  /**
   * Returns those models of which the rows must be let go of, so that the rest is within the limit,
   * as far as it is not others that are beyond it: the largest ones. The caller lets go of them.
   *
   * @param fit of a model
   */
  public <T> List<T> beyond(List<T> models, Function<T, EpochFitter> fit) {
    List<T> largest =
        models.stream()
            .filter(model -> isHeld(fit.apply(model)) && fit.apply(model).held().isPresent())
            .sorted(Comparator.comparing(model -> -fit.apply(model).bytes()))
            .toList();
    List<T> beyond = new ArrayList<>();
    for (int i = 0; i < largest.size() && isFull(); i++) {
      take(-inMemory(fit.apply(largest.get(i))));
      beyond.add(largest.get(i));
    }
    return beyond;
  }

  /**
   * Returns those models whose rows fit into what is left, in their order: all rows of a model or
   * none. Others may take that room meanwhile.
   *
   * @param rows of a model, which were let go of
   */
  public <T> List<T> fitting(List<T> models, Function<T, BufferedEpochFit> rows) {
    List<T> fitting = new ArrayList<>();
    long left = room.left();
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
  public static boolean isHeld(EpochFitter fit) {
    return fit.held().map(held -> held.rows().isHeld()).orElse(true);
  }
}
