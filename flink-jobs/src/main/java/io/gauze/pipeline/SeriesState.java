package io.gauze.pipeline;

import io.gauze.config.EpochSchedule;
import io.gauze.stream.LastingFaultException;
import io.gauze.stream.PrivacyConflictException;
import io.gauze.stream.SketchJobSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.OperatorStateStore;
import org.apache.flink.api.common.typeinfo.BasicTypeInfo;
import org.apache.flink.runtime.state.StateInitializationContext;

/**
 * The public identity of an operator's state: the config and topics that it belongs to, and the
 * first epoch. The first epoch stays that of the first start, since the rows read so far are in the
 * epochs counted from it. The state of another config is refused.
 */
public final class SeriesState {
  private static final ListStateDescriptor<Long> FIRST_EPOCH =
      new ListStateDescriptor<>("first-epoch-v1", BasicTypeInfo.LONG_TYPE_INFO);
  private static final ListStateDescriptor<String> SERIES =
      new ListStateDescriptor<>("series-v1", BasicTypeInfo.STRING_TYPE_INFO);
  private static final ListStateDescriptor<String> ORIGIN =
      new ListStateDescriptor<>("origin-v1", BasicTypeInfo.STRING_TYPE_INFO);

  private static final ListStateDescriptor<String> TOPIC_IDS =
      new ListStateDescriptor<>("topic-ids-v1", BasicTypeInfo.STRING_TYPE_INFO);

  static final ListStateDescriptor<String> NOISE =
      new ListStateDescriptor<>("noise-v1", BasicTypeInfo.STRING_TYPE_INFO);

  /** The relative difference that rounding may make between two computed widths of noise. */
  private static final double NEAR = 1e-9;

  private final SketchJobSettings settings;
  private final ListState<Long> firstEpoch;
  private final ListState<String> series;
  private final ListState<String> origin;
  private final ListState<String> topicIds;
  private final ListState<String> noise;
  private EpochSchedule schedule;

  private SeriesState(SketchJobSettings settings, OperatorStateStore store) throws Exception {
    this.settings = settings;
    firstEpoch = store.getUnionListState(FIRST_EPOCH);
    series = store.getUnionListState(SERIES);
    origin = store.getUnionListState(ORIGIN);
    topicIds = store.getUnionListState(TOPIC_IDS);
    noise = store.getUnionListState(NOISE);
    schedule = settings.schedule();
  }

  /**
   * Returns the restored identity, or a new one.
   *
   * @throws PrivacyConflictException if the state belongs to another config or to other topics,
   *     also to topics that were created anew under the same names; if its noise has another width;
   *     or if it is new where a state is required
   */
  public static SeriesState of(SketchJobSettings settings, StateInitializationContext context)
      throws Exception {
    SeriesState state = new SeriesState(settings, context.getOperatorStateStore());
    state.checkSame(state.series, settings.stateSeries());
    state.checkSame(state.origin, settings.origin());
    state.checkTopics();
    state.checkNoise();
    // A stream that is new in a restored job has no state, although Flink calls the job restored.
    requireState(settings, state.series.get().iterator().hasNext());
    if (context.isRestored()) {
      for (Long first : state.firstEpoch.get()) {
        state.schedule = state.schedule.from(first);
      }
    }
    return state;
  }

  private static void requireState(SketchJobSettings settings, boolean restored)
      throws LastingFaultException {
    try {
      RequiredState.check(settings, restored);
    } catch (IllegalArgumentException e) {
      throw LastingFaultException.backlog(e.getMessage());
    }
  }

  private void checkSame(ListState<String> held, String wanted) throws Exception {
    for (String each : held.get()) {
      if (!each.equals(wanted)) {
        throw PrivacyConflictException.anotherState(settings.plan().stream());
      }
    }
  }

  private void checkTopics() throws Exception {
    for (String each : topicIds.get()) {
      if (!each.isEmpty() && !settings.topicIds().isEmpty() && !each.equals(settings.topicIds())) {
        throw PrivacyConflictException.otherTopics(settings);
      }
    }
  }

  // Another version of the program, or another expectedRows, may plan another width of noise for
  // the same config.
  private void checkNoise() throws Exception {
    Map<String, Double> planned = settings.noiseInState();
    for (String each : noise.get()) {
      int blank = each.lastIndexOf(' ');
      double held = Double.parseDouble(each.substring(blank + 1));
      double now = planned.getOrDefault(each.substring(0, blank), held);
      if (!(Math.abs(held - now) <= NEAR * Math.max(held, now))) { // NaN too
        throw PrivacyConflictException.anotherLaw(settings);
      }
    }
  }

  /** The epochs, counted from the first epoch of the job's first start. */
  public EpochSchedule schedule() {
    return schedule;
  }

  public void snapshot() throws Exception {
    firstEpoch.update(List.of(schedule.firstEpoch()));
    series.update(List.of(settings.stateSeries()));
    origin.update(List.of(settings.origin()));
    topicIds.update(List.of(settings.topicIds()));
    List<String> widths = new ArrayList<>();
    settings.noiseInState().forEach((sketch, sigma) -> widths.add(sketch + " " + sigma));
    noise.update(widths);
  }
}
