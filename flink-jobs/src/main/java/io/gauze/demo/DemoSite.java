package io.gauze.demo;

import io.gauze.answer.ReleaseTopic;
import io.gauze.cli.RunCommand;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.config.EpochSchedule;
import io.gauze.config.RowsSettings;
import io.gauze.config.StreamConfig;
import io.gauze.plan.SketchPlan;
import io.gauze.plan.StreamPlan;
import io.gauze.release.Release;
import io.gauze.solver.SolverClient;
import io.gauze.summary.Progress;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One stream of the demo: all rows, or those of one of several sites.
 *
 * @param config of one epoch
 * @param out the folder for its releases
 */
record DemoSite(StreamConfig config, StreamPlan plan, Path out) {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /**
   * Returns the streams of a demo.
   *
   * @param sites how many there are; each has the encoding and the budget of the config. One has
   *     its name and folder, too
   * @throws PrivacyRefusalException if the noise cannot be calibrated
   */
  static List<DemoSite> of(StreamConfig config, int sites, Path out)
      throws PrivacyRefusalException {
    StreamConfig whole = config.withEpochs(EpochSchedule.all()).withRows(RowsSettings.JSON);
    if (sites == 1) {
      return List.of(new DemoSite(whole, RunCommand.plan(whole), out));
    }
    List<DemoSite> all = new ArrayList<>();
    for (int i = 1; i <= sites; i++) {
      String name = "site-" + i;
      StreamConfig site = whole.named(name);
      all.add(new DemoSite(site, RunCommand.plan(site), out.resolve(name)));
    }
    return all;
  }

  /** Returns the solver's answers on the releases. */
  DemoAnswers ask(KafkaAccess kafka, String response) throws IOException {
    String requests = config.kafka().topics().requests();
    String answers = config.kafka().topics().answers();
    try (SolverClient client = new SolverClient(kafka, requests, answers)) {
      return DemoAnswers.ask(client, plan, response, PATIENCE);
    }
  }

  /** Writes the releases to the folder, and returns their files in the order of the sketches. */
  List<Path> writeReleases(KafkaAccess kafka, Progress progress) throws IOException {
    Map<String, Path> files = new LinkedHashMap<>();
    for (SketchPlan sketch : plan.sketches()) {
      files.put(sketch.name(), out.resolve(sketch.name() + ".avro"));
    }
    List<Release> found = new ArrayList<>();
    try (ReleaseTopic topic = new ReleaseTopic(kafka, config.kafka().topics().releases())) {
      while (found.size() < files.size()) {
        topic.readOn(into(found), Duration.ofMillis(100));
      }
    }
    if (files.values().stream().anyMatch(Files::exists)) {
      progress.stage("replacing the releases of an earlier demo in " + out);
    }
    for (Release release : found) {
      Files.write(files.get(release.id().sketch()), release.toBytes());
    }
    return List.copyOf(files.values());
  }

  private static ReleaseTopic.Reader into(List<Release> found) {
    return new ReleaseTopic.Reader() {
      @Override
      public void release(Release release, ReleaseTopic.Place place) {
        found.add(release);
      }

      @Override
      public void damaged(ReleaseTopic.Damage damage) {
        throw new IllegalStateException("topic of releases, " + damage);
      }
    };
  }
}
