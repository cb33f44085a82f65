package io.gauze.local;

import io.gauze.mechanism.BufferedEpochFit;
import io.gauze.mechanism.EpochFitter;
import io.gauze.stream.FitMemory;
import io.gauze.stream.FitRoom;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Models that are fitted to rows in this thread. As in the job, the rows are kept in memory up to a
 * limit, and read again beyond it. Not thread-safe.
 */
final class LocalModels {
  private final FitMemory memory;
  private final LocalSketch.Rows rows;
  private final Map<String, EpochFitter> fits = new LinkedHashMap<>(); // by the name of the model
  private final List<String> readAgain = new ArrayList<>();
  private List<BufferedEpochFit> pass = List.of(); // take the rows that are read again now

  /**
   * Creates no models.
   *
   * @param limit the bytes that rows in memory may take
   * @param rows reads the rows again
   */
  LocalModels(long limit, LocalSketch.Rows rows) {
    this.memory = new FitMemory(new FitRoom(limit));
    this.rows = rows;
  }

  void begin(String name, EpochFitter fit) {
    fits.put(name, fit);
  }

  /** The models whose rows did not fit into memory. */
  List<String> readAgain() {
    return List.copyOf(readAgain);
  }

  /** Returns whether the rows that come now are for a pass of a fit. */
  boolean isInPass() {
    return !pass.isEmpty();
  }

  void add(double... scaled) {
    if (isInPass()) {
      pass.forEach(fit -> fit.add(scaled));
      return;
    }
    fits.values().forEach(fit -> memory.add(fit, scaled));
    if (memory.isFull()) {
      memory.beyond(List.copyOf(fits.keySet()), fits::get).forEach(this::letGo);
    }
  }

  private void letGo(String name) {
    BufferedEpochFit held = held(name);
    held.rows().letGo(again -> read(List.of(held.with(again))));
    readAgain.add(name);
  }

  private BufferedEpochFit held(String name) {
    return fits.get(name).held().orElseThrow();
  }

  private void read(List<BufferedEpochFit> into) {
    pass = into;
    try {
      rows.addAgain();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      pass = List.of();
    }
  }

  /**
   * Fits all models: those whose rows are in memory first, in whose room those of others are read.
   *
   * @return the payloads by name
   * @throws UncheckedIOException if the rows cannot be read again
   * @throws ConcurrentModificationException if they have changed
   */
  Map<String, long[]> numbers() {
    Map<String, long[]> numbers = new LinkedHashMap<>();
    List<String> left = new ArrayList<>(fits.keySet());
    left.sort(Comparator.comparing(name -> !FitMemory.isHeld(fits.get(name))));
    while (!left.isEmpty()) {
      if (!FitMemory.isHeld(fits.get(left.get(0)))) {
        readIntoMemory(left);
      }
      String name = left.remove(0);
      EpochFitter fit = fits.remove(name);
      numbers.put(name, fit.numbers());
      memory.done(fit);
    }
    return numbers;
  }

  private void readIntoMemory(List<String> left) {
    List<String> chosen = memory.fitting(left, this::held);
    if (chosen.isEmpty()) {
      return;
    }
    List<BufferedEpochFit> again = chosen.stream().map(name -> held(name).again()).toList();
    read(again);
    for (int i = 0; i < again.size(); i++) {
      String name = chosen.get(i);
      if (again.get(i).rows().size() != held(name).rows().size()) {
        throw new ConcurrentModificationException("rows that were read again are others");
      }
      fits.put(name, again.get(i));
      left.remove(name);
      left.add(i, name);
    }
  }
}
