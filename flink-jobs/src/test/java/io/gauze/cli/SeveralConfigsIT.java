package io.gauze.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.OwnHome;
import io.gauze.testing.ProcessCluster;
import io.gauze.testing.SharedCluster;
import io.gauze.testing.TestTopics;
import io.gauze.testing.Thorough;
import io.gauze.testing.TwoColumns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The verbs run and stop with several configs, as a user runs them. */
@ExtendWith(SharedCluster.class)
final class SeveralConfigsIT extends OwnHome {
  private static final String ALL = "{length: all}";
  private static final String SECONDS = "{length: PT1S, sealDelay: PT0.5S}";

  @Thorough
  @Test
  void streamsWithRoomRunBesideThoseWithout() throws Exception {
    String shared = TestTopics.createRows("shared", 1);
    Path wine = config(rows("wine"), shared, "shared", ALL, "");
    Path beer = config(rows("beer"), shared, "shared", ALL, "");
    Path cider = config(rows("cider"), shared, "shared", ALL, "");
    DemoIT.Outcome two = run(0, wine, beer);
    assertThat(two.err())
        .contains(
            "stream " + name(wine) + ": Differentially private",
            "stream " + name(beer) + ": Differentially private",
            "running 2 streams to the end of the rows",
            shared + "-releases (" + name(wine) + "), " + shared + "-releases (");
    assertThat(ids(shared, 2)).containsExactlyInAnyOrder(id(wine), id(beer));

    assertThat(run(3, wine, beer).err())
        .contains(
            "stream " + name(wine) + ": GZ-NOTHINGLEFT: Nothing is left to release: the ledger");
    assertThat(run(0, beer, cider).err())
        .contains(
            "stream " + name(beer) + ": GZ-NOTHINGLEFT",
            "stream " + name(beer) + ": skipped: 1 releases")
        .doesNotContain("stream " + name(cider) + ": skipped");
    assertThat(ids(shared, 3)).containsExactlyInAnyOrder(id(wine), id(beer), id(cider));
  }

  /** The first stream alone would make a topic that is too small for the second. */
  @Thorough
  @Test
  void aSharedTopicTakesTheLargestRelease() throws Exception {
    String shared = TestTopics.createRows("sizes", 1);
    Path small = config(rows("small"), shared, "size", ALL, "");
    Path large = config(rows("large"), shared, "size", ALL, "");
    Files.writeString(
        large,
        Files.readString(large)
            .replace("mechanism: noisy-moments", "mechanism: count-sketch, buckets: 65536"));
    run(0, small, large);
    assertThat(ids(shared, 2)).containsExactlyInAnyOrder(id(small), id(large));
  }

  /** Each alone has room on the account: nothing is released, and not the first come, either. */
  @Test
  void anAccountMustCoverAllStreamsOfTheJob() throws Exception {
    String rows = rows("account");
    Path wine = config(rows, rows, "wine", ALL, "");
    Path beer = config(rows, rows, "beer", ALL, "");
    DemoIT.Outcome checked = DemoIT.run(arguments("check", "", wine, beer));
    assertThat(checked.status()).as(checked.err()).isEqualTo(3); // its ledger is not there yet
    assertThat(checked.err()).contains("the streams of one job do not fit on their account");
    assertThat(run(3, wine, beer).err())
        .contains(
            "the streams of one job do not fit on their account together",
            "GZ-PROMISED: The privacy account of topic " + rows,
            "(stream wine-" + rows,
            "asked: 1 (stream beer-" + rows);
    assertThat(run(0, beer).err()).contains("running to the end of the rows");
    assertThat(ids(rows, 1)).containsExactly(id(beer));
    String totalBudget = ", totalBudget: {epsilon: 2, delta: 2.0e-6}";
    String more = rows("more");
    Path first = config(more, more, "first", ALL, totalBudget);
    Path second = config(more, more, "second", ALL, totalBudget);
    run(0, first, second);
    assertThat(ids(more, 2)).containsExactlyInAnyOrder(id(first), id(second));
  }

  @Thorough
  @Test
  void aJobStopsByOneOfItsStreamsAndGoesOnWithAll() throws Exception {
    String shared = TestTopics.createRows("stopped", 1);
    Path wine = config(rows("wine"), shared, "stop", SECONDS, "");
    Path beer = config(rows("beer"), shared, "stop", SECONDS, "");
    CompletableFuture<DemoIT.Outcome> both = start(wine, beer);
    awaitRun(beer);
    TestTopics.read(shared + "-releases", 2);
    DemoIT.Outcome stopped = stop(beer);
    assertThat(stopped.err())
        .contains(
            "stream " + name(wine) + " stops with it",
            "./gauze run --config CONFIG-OF-" + name(wine) + " --config " + beer + " --restore ");
    assertThat(both.get().status()).as(both.get().err()).isZero();
    assertThat(running(wine)).doesNotExist();
    String savepoint = stopped.out().strip();

    DemoIT.Outcome refused = DemoIT.run(arguments("run", savepoint, wine));
    assertThat(refused.status()).as(refused.err()).isEqualTo(2);
    assertThat(refused.err())
        .contains(
            "has state of streams " + name(beer) + ", " + name(wine),
            "there is no --config of " + name(beer),
            "execution.state-recovery.ignore-unclaimed-state: true",
            "flink run --allowNonRestoredState");

    int before = TestTopics.read(shared + "-releases", 2).size();
    Path cider = config(rows("cider"), shared, "stop", SECONDS, "");
    CompletableFuture<DemoIT.Outcome> three = start(savepoint, cider, beer, wine);
    awaitRun(cider);
    ProcessCluster.await(
        "releases of the new stream",
        () -> ids(shared, before + 1).stream().anyMatch(id -> id.startsWith(name(cider))));
    DemoIT.Outcome again = stop(wine, beer, cider);
    assertThat(again.err()).doesNotContain("stops with it").contains("--config " + cider);
    assertThat(three.get().status()).as(three.get().err()).isZero();
    assertThat(three.get().err())
        .contains("stream " + name(cider) + ": is not in the savepoint; starts anew");
    assertThat(ids(shared, before + 1)).doesNotHaveDuplicates();

    leavesBehind(again.out().strip(), shared, wine);
    conflictNamesTheStream(again.out().strip(), wine, beer, cider);
  }

  private void leavesBehind(String savepoint, String shared, Path wine) throws Exception {
    String text = Files.readString(wine);
    String key = "execution.state-recovery.ignore-unclaimed-state: true, ";
    Files.writeString(wine, text.replace("properties: {", "properties: {" + key));
    int before = ids(shared, 1).size();
    CompletableFuture<DemoIT.Outcome> one = start(savepoint, wine);
    awaitRun(wine);
    TestTopics.read(shared + "-releases", before + 1);
    stop(wine);
    assertThat(one.get().status()).as(one.get().err()).isZero();
    assertThat(one.get().err()).contains("is left behind in the savepoint");
    Files.writeString(wine, text);
  }

  /** One stream's state is not of its config: the whole job ends, and says which. */
  private void conflictNamesTheStream(String savepoint, Path wine, Path beer, Path cider)
      throws Exception {
    String others =
        Files.readString(beer)
            .replace("ledger: {topic: ", "ledger: {topic: x")
            .replace("releases: {topic: ", "releases: {topic: x");
    Files.writeString(beer, others);
    DemoIT.Outcome outcome = DemoIT.run(arguments("run", savepoint, wine, beer, cider));
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(3);
    assertThat(outcome.err())
        .contains("The restored state of stream " + name(beer) + " was made under");
  }

  @Test
  void checkTellsOfEach() throws Exception {
    Path wine = config("one", "one", "wine", ALL, "");
    Path beer = config("two", "two", "beer", ALL, "");
    DemoIT.Outcome table = DemoIT.run(arguments("check", "", wine, beer));
    assertThat(table.status()).as(table.err()).isZero();
    assertThat(table.out()).containsSubsequence("stream", "wine-one", "stream", "beer-two");
    List<String> words = new ArrayList<>(List.of(arguments("check", "", wine, beer)));
    words.addAll(List.of("--format", "json"));
    DemoIT.Outcome json = DemoIT.run(words.toArray(new String[0]));
    assertThat(json.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"stream\":"));
    DemoIT.Outcome twice = DemoIT.run(arguments("check", "", wine, wine));
    assertThat(twice.status()).isEqualTo(2);
    assertThat(twice.err()).contains(wine + ": stream must be another one");
  }

  private static String rows(String prefix) {
    String rows = TestTopics.createRows(prefix, 2);
    TestTopics.send(rows, 0, "{\"x\":0.5,\"y\":0.25}", "{\"x\":0.1,\"y\":0.2}");
    return rows;
  }

  private static String name(Path config) {
    return config.getFileName().toString().replace(".yaml", "");
  }

  private static String id(Path config) {
    return name(config) + "/all/all/moments";
  }

  private static List<String> ids(String topics, int atLeast) {
    return TestTopics.read(topics + "-releases", atLeast).stream()
        .map(release -> new String(release.key(), UTF_8))
        .toList();
  }

  private static String[] arguments(String verb, String restore, Path... configs) {
    List<String> words = new ArrayList<>(List.of(verb));
    for (Path config : configs) {
      words.addAll(List.of("--config", config.toString()));
    }
    if (!restore.isEmpty()) {
      words.addAll(List.of("--restore", restore));
    }
    return words.toArray(new String[0]);
  }

  private static DemoIT.Outcome run(int status, Path... configs) {
    DemoIT.Outcome outcome = DemoIT.run(arguments("run", "", configs));
    assertThat(outcome.status()).as(outcome.err()).isEqualTo(status);
    return outcome;
  }

  private static CompletableFuture<DemoIT.Outcome> start(Path... configs) {
    return start("", configs);
  }

  private static CompletableFuture<DemoIT.Outcome> start(String restore, Path... configs) {
    String[] arguments = arguments("run", restore, configs);
    return CompletableFuture.supplyAsync(() -> DemoIT.run(arguments));
  }

  private void awaitRun(Path config) {
    ProcessCluster.await("the run", () -> Files.exists(running(config)));
  }

  private Path running(Path config) {
    int broker = SharedCluster.broker().bootstrapServers().hashCode();
    return running().resolve(String.format(Locale.ROOT, "%s-%08x.rest", name(config), broker));
  }

  private DemoIT.Outcome stop(Path... configs) {
    List<String> words = new ArrayList<>(List.of(arguments("stop", "", configs)));
    words.addAll(List.of("--savepoints", folder.resolve("s").toString()));
    DemoIT.Outcome outcome = DemoIT.run(words.toArray(new String[0]));
    assertThat(outcome.status()).as(outcome.err()).isZero();
    return outcome;
  }

  private Path config(String rows, String topics, String prefix, String epochs, String totalBudget)
      throws Exception {
    String stream = (prefix + "-" + rows).replaceAll("[^a-z0-9-]", "-");
    TwoColumns config = new TwoColumns(stream, TwoColumns.EPSILON_1 + totalBudget, epochs);
    return Files.writeString(
        folder.resolve(stream + ".yaml"),
        config.onSharedBroker(rows, topics + "-releases", topics + "-ledger"));
  }
}
