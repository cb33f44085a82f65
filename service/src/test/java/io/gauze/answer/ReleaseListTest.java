package io.gauze.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gauze.accounting.Guarantee;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.mechanism.ReleaseId;
import io.gauze.report.ReleaseReport.Listed;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** Each list is what a map of its time was, whatever became of the releases since. */
final class ReleaseListTest {
  private static final int MANY = 100_000;
  private static final BodyHash HASH = BodyHash.of(new byte[1]);
  private static final Guarantee GUARANTEE = SmallReleases.hour(1).guarantee();

  /** A list, and what it must hold for ever. */
  private record Taken(ReleaseList list, Map<ReleaseId, Entry> expected) {
    void check(int ids) {
      assertThat(list).containsExactlyElementsOf(expected.values());
      for (int i = 0; i < ids; i++) {
        ReleaseId id = entry(i, 0).id();
        Entry wanted = expected.get(id);
        if (wanted == null) {
          assertThat(list.find(id)).isEmpty();
        } else {
          assertThat(list.find(id)).contains(wanted);
          assertThat(list.find(id.toString())).contains(wanted);
          assertThat(list.get(list.indexOf(wanted))).isEqualTo(wanted);
        }
      }
    }
  }

  @Test
  void aListStaysAsItWas() {
    int ids = 3_000;
    for (int seed = 0; seed < 8; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      ReleaseList.Builder builder = new ReleaseList.Builder();
      Map<ReleaseId, Entry> model = new LinkedHashMap<>();
      List<Taken> taken = new ArrayList<>();
      for (int step = 0; step < 6_000; step++) {
        Entry next = entry(random.nextInt(ids), step);
        boolean removes = seed % 2 == 0 && random.nextInt(200) == 0;
        if (removes) {
          builder.remove(next.id());
          model.remove(next.id());
        } else {
          builder.put(next);
          model.put(next.id(), next);
        }
        if (random.nextInt(400) == 0) {
          taken.add(new Taken(builder.list(), new LinkedHashMap<>(model)));
        }
      }
      taken.forEach(each -> each.check(ids));
      assertThat(taken).hasSizeGreaterThan(5);
    }
  }

  @Test
  void whatIsNotThereIsNotFound() {
    ReleaseList.Builder builder = new ReleaseList.Builder();
    builder.put(entry(1, 1));
    ReleaseList list = builder.list();
    assertThat(list.find("no id")).isEmpty();
    assertThat(list.find(entry(2, 1).id())).isEmpty();
    assertThat(list.indexOf(entry(1, 2))).as("an equal release at another place").isEqualTo(-1);
    assertThat(ReleaseList.NONE.find(entry(1, 1).id())).isEmpty();
    builder.put(entry(2, 1));
    assertThatThrownBy(() -> list.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> list.add(entry(2, 1)))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  /** Each list is whole for a thread that looks while others come. */
  @Test
  void readersSeeWholeListsWhileReleasesCome() throws Exception {
    ReleaseList.Builder builder = new ReleaseList.Builder();
    AtomicReference<ReleaseList> published = new AtomicReference<>(builder.list());
    AtomicBoolean ends = new AtomicBoolean();
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      Future<Integer> looks =
          reader.submit(
              () -> {
                int some = 0;
                while (!ends.get() || some == 0) {
                  ReleaseList list = published.get();
                  for (int i = Math.max(0, list.size() - 3); i < list.size(); i++) {
                    Entry found = list.find(entry(i, 0).id()).orElseThrow();
                    assertThat(found).isEqualTo(list.get(i));
                    some++;
                  }
                  assertThat(list.find(entry(list.size(), 0).id())).isEmpty();
                }
                return some;
              });
      for (int i = 0; i < 20_000; i++) {
        builder.put(entry(i, i));
        if (i % 7 == 0) {
          builder.put(entry(i / 2, i));
        }
        published.set(builder.list());
      }
      ends.set(true);
      assertThat(looks.get()).isPositive();
    } finally {
      reader.shutdownNow();
    }
  }

  /** A copy of the list alone would take 400 kB. */
  @Test
  void aNewReleaseTakesNoMoreIfThereAreMany() throws JMException {
    ReleaseList.Builder builder = new ReleaseList.Builder();
    for (int i = 0; i < MANY; i++) {
      builder.put(entry(i, i));
    }
    builder.list();
    int news = 100;
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < news; i++) {
      entries.add(entry(MANY + i, i));
    }
    long before = allocated();
    for (Entry each : entries) {
      builder.put(each);
      assertThat(builder.list().size()).isGreaterThan(MANY);
    }
    long each = (allocated() - before) / news;
    assertThat(each).as("bytes of a release and its list").isLessThan(8 << 10);
  }

  private static long allocated() throws JMException {
    ObjectName threads = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
    return (Long)
        ManagementFactory.getPlatformMBeanServer()
            .getAttribute(threads, "CurrentThreadAllocatedBytes");
  }

  private static Entry entry(int number, int offset) {
    ReleaseId id = new ReleaseId("s", "g" + number % 7, Integer.toString(number), "moments");
    Listed listed = new Listed(id, "noisy-moments", "moments", 9, GUARANTEE, 100);
    return new Entry(listed, new ReleaseTopic.Place(id, 0, offset, 100, 9, HASH));
  }
}
