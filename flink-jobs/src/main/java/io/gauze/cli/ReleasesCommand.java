package io.gauze.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import io.gauze.report.ReleaseReport;
import io.gauze.report.TextTable;
import io.gauze.row.NearestName;
import io.gauze.solver.ReleaseRange;
import io.gauze.solver.ReleaseTopic;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Lists, shows and exports what the topic of releases holds. */
@Command(
    name = "releases",
    description = {
      "Lists the releases of a config's topic; with --id shows one (its header, not its numbers), with --export writes it to"
          + " a file.",
      "Status 1 if the topic holds a record that is no release, or two bodies of one."
    },
    footer = {
      "",
      "Examples:",
      "  gauze releases --config wine.yaml",
      "  gauze releases --config wine.yaml --id wine/all/all/moments \\",
      "      --export moments.avro"
    })
public final class ReleasesCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMillis(200);

  @Mixin private ConfigOption config;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description = "Show this release alone: stream/group/epoch/sketch.")
  private Optional<String> id;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description = "Write the release of --id to this new file: .avro, .json or .npz.")
  private Optional<Path> export;

  @Option(
      names = "--follow",
      description =
          "Go on with new releases until Ctrl-C, one on a line; with json one object on a line.")
  private boolean follow;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException {
    check();
    StreamConfig stream = config.read();
    try (ReleaseTopic topic = ReleaseStore.open(stream, spec.commandLine().getErr())) {
      Found found = new Found();
      if (follow) {
        return follow(topic, found);
      }
      topic.readToEnd(found);
      if (id.isPresent()) {
        show(found, stream.kafka().topics().releases());
      } else {
        print(format.json() ? found.json(stream.kafka().topics().releases()) : found.table());
      }
      return found.status();
    }
  }

  private void check() {
    require(export.isEmpty() || id.isPresent(), "--export needs --id: which release to write");
    require(
        id.filter(ReleaseRange::isRange).isEmpty(),
        "--id must be one release here; ranges are for gauze solve and gauze ask. Provided value: "
            + id.orElse(""));
    require(!follow || id.isEmpty(), "--follow lists all releases and has no meaning beside --id");
    export.ifPresent(
        file ->
            require(
                ReleaseFiles.known(file),
                "--export must end with .avro, .json or .npz. Provided value: " + file));
    export.ifPresent(
        file ->
            require(!Files.exists(file), "--export must be a new file. Provided value: " + file));
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  /** Ends by a signal; or with a failure when nobody takes the output any more. */
  private Integer follow(ReleaseTopic topic, Found found) throws IOException {
    CloseAtExit.endNormallyBySignal(true);
    try {
      while (!spec.commandLine().getOut().checkError()) {
        topic.readOn(found, PATIENCE);
      }
      return ExitStatus.FAILED;
    } finally {
      CloseAtExit.endNormallyBySignal(false);
    }
  }

  private void show(Found found, String topic) throws IOException {
    if (found.wanted.isEmpty()) {
      throw new ParameterException(spec.commandLine(), found.unknown(topic));
    }
    Release release = found.wanted.get();
    if (export.isPresent()) {
      ReleaseFile.write(release, export.get());
      spec.commandLine().getErr().println("wrote " + release.id() + " to " + export.get());
    }
    print(
        format.json()
            ? ReleaseReport.header(release, found.wantedBytes) + System.lineSeparator()
            : ReleaseReport.headerText(release, found.wantedBytes));
  }

  private void print(String text) {
    PrintWriter out = spec.commandLine().getOut();
    out.print(text);
    out.flush();
  }

  /** What was read: one line a release, and the one that was asked for. */
  private final class Found implements ReleaseTopic.Reader {
    private final List<String> ids = new ArrayList<>();
    private final TextTable table = new TextTable();
    private final ObjectNode json = JsonMapper.builder().build().createObjectNode();
    private final List<ReleaseTopic.Damage> damages = new ArrayList<>();
    private Optional<Release> wanted = Optional.empty();
    private int wantedBytes;

    Found() {
      table.row(ReleaseReport.HEADER.toArray(new String[0]));
    }

    @Override
    public void release(Release release, ReleaseTopic.Place place) {
      int bytes = place.bytes();
      if (follow) {
        print(
            (format.json()
                    ? ReleaseReport.summary(release, bytes).toString()
                    : String.join("  ", ReleaseReport.line(release, bytes)))
                + System.lineSeparator());
        return;
      }
      String name = release.id().toString();
      ids.add(name);
      table.row(ReleaseReport.line(release, bytes).toArray(new String[0]));
      json.withArrayProperty("releases").add(ReleaseReport.summary(release, bytes));
      if (id.filter(name::equals).isPresent()) {
        wanted = Optional.of(release);
        wantedBytes = bytes;
      }
    }

    @Override
    public void damaged(ReleaseTopic.Damage damage) {
      damages.add(damage);
      PrintWriter err = spec.commandLine().getErr();
      err.println("passed over " + damage);
      err.flush();
    }

    String unknown(String topic) {
      return ids.isEmpty()
          ? "topic " + topic + " holds no release yet. Provided value: " + id.orElseThrow()
          : "--id must be a release of topic "
              + topic
              + "; the nearest is "
              + NearestName.of(id.orElseThrow(), ids)
              + ". Provided value: "
              + id.orElseThrow();
    }

    String table() {
      return ids.isEmpty() ? "no release yet" + System.lineSeparator() : table.toString();
    }

    String json(String topic) {
      ObjectNode top = JsonMapper.builder().build().createObjectNode();
      top.put("topic", topic);
      top.set("releases", json.withArrayProperty("releases"));
      top.putArray("damaged");
      for (ReleaseTopic.Damage damage : damages) {
        ObjectNode node = top.withArrayProperty("damaged").addObject();
        node.put("partition", damage.partition());
        node.put("offset", damage.offset());
        node.put("reason", damage.reason());
      }
      return top + System.lineSeparator();
    }

    int status() {
      return damages.isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
    }
  }
}
