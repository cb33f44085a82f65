package io.gauze.pipeline.again;

import io.gauze.pipeline.again.EpochReader.Taken;
import io.gauze.row.RecordBatch;
import io.gauze.row.RowBatch;
import io.gauze.row.RowEncoder;
import io.gauze.row.RowTag;
import io.gauze.stream.PartialEpoch;
import io.gauze.stream.SecondStage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The share of one reading thread in the second stages of an epoch. Not thread-safe. */
final class SharedSums implements EpochReader.Sums {
  private static final RowTag NO_TAG = new RowTag(); // second stages use no tag

  /** The share in the second stages of one group. */
  private static final class Share {
    private final Taken taken;
    private final List<SecondStage> sums;
    private final List<SecondStage> filled;
    private RecordBatch batch; // since the first row: it is of the thread's encoder

    private Share(Taken taken, List<SecondStage> sums, boolean own) {
      this.taken = taken;
      this.sums = sums;
      this.filled = own ? sums : sums.stream().map(SecondStage::share).toList();
    }

    private void add(RowEncoder accepted) {
      if (batch == null) {
        int capacity = PartialEpoch.batchRows(accepted.dimension());
        batch = RecordBatch.ofTags(accepted, capacity);
      }
      batch.add(NO_TAG, 1);
      if (batch.isFull()) {
        fold();
      }
    }

    private void fold() {
      RowBatch rows = batch.encode();
      filled.forEach(each -> each.add(rows));
      batch.clear();
    }

    private void end(boolean own) {
      if (batch != null) {
        fold();
      }
      for (int i = 0; !own && i < sums.size(); i++) {
        sums.get(i).add(filled.get(i));
      }
    }
  }

  private final Map<String, List<SecondStage>> sums;
  private final Set<String> inOrder;
  private final Map<String, Share> shares = new HashMap<>();
  private final boolean own;
  private String group; // of the last row, as most rows have the group of the one before
  private Share share;

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

  private Share share(String ofGroup) {
    if (!ofGroup.equals(group)) {
      group = ofGroup;
      share = shares.computeIfAbsent(ofGroup, this::begin);
    }
    return share;
  }

  private Share begin(String ofGroup) {
    boolean isSummed = sums.containsKey(ofGroup);
    Taken passedOn = isSummed ? Taken.BOTH : Taken.IN_ORDER;
    Taken others = isSummed ? Taken.SUMMED : Taken.NOT_WANTED;
    return new Share(
        inOrder.contains(ofGroup) ? passedOn : others, sums.getOrDefault(ofGroup, List.of()), own);
  }

  @Override
  public Taken takes(String ofGroup) {
    return share(ofGroup).taken;
  }

  @Override
  public void add(String ofGroup, RowEncoder accepted) {
    share(ofGroup).add(accepted);
  }

  @Override
  public void add(String ofGroup, double... scaled) {
    for (SecondStage each : share(ofGroup).filled) {
      each.add(scaled);
    }
  }

  @Override
  public void end() {
    shares.values().forEach(each -> each.end(own));
  }
}
