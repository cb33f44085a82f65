package io.gauze.pipeline.again;

import io.gauze.pipeline.again.EpochReader.Taken;
import io.gauze.row.EncodedRow;
import io.gauze.stream.SecondStage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The share of one reading thread in the second stages of an epoch. Not thread-safe. */
final class SharedSums implements EpochReader.Sums {
  private final Map<String, List<SecondStage>> sums;
  private final Set<String> inOrder;
  private final Map<String, List<SecondStage>> shares = new HashMap<>();
  private final boolean own;

  /**
   * Creates a share of no row.
   *
   * @param sums the second stages of each group
   * @param inOrder the groups of which others take the rows, in their order
   * @param own whether this thread alone adds rows to {@code sums} themselves while it reads
   */
  SharedSums(Map<String, List<SecondStage>> sums, Set<String> inOrder, boolean own) {
    this.sums = sums;
    this.inOrder = inOrder;
    this.own = own;
  }

  @Override
  public Taken takes(String group) {
    if (inOrder.contains(group)) {
      return Taken.IN_ORDER;
    }
    return sums.containsKey(group) ? Taken.SUMMED : Taken.NOT_WANTED;
  }

  @Override
  public void add(String group, EncodedRow row) {
    for (SecondStage each : shares.computeIfAbsent(group, this::begin)) {
      each.add(row);
    }
  }

  @Override
  public void add(String group, double... scaled) {
    for (SecondStage each : shares.computeIfAbsent(group, this::begin)) {
      each.add(scaled);
    }
  }

  private List<SecondStage> begin(String group) {
    List<SecondStage> all = sums.getOrDefault(group, List.of());
    return own ? all : all.stream().map(SecondStage::share).toList();
  }

  @Override
  public void end() {
    if (own) {
      return;
    }
    shares.forEach(
        (group, filled) -> {
          List<SecondStage> all = sums.getOrDefault(group, List.of());
          for (int i = 0; i < filled.size(); i++) {
            all.get(i).add(filled.get(i));
          }
        });
  }
}
