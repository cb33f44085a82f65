package io.gauze.cli;

import io.gauze.answer.ReleaseRange;
import io.gauze.answer.ReleaseTopic;
import io.gauze.cli.option.CommandMessage;
import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.release.ReleaseFiles;
import io.gauze.cli.release.ReleaseStore;
import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.Message;
import io.gauze.message.NearestName;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import io.gauze.report.Columns;
import io.gauze.report.Messages;
import io.gauze.report.ReleaseReport;
import io.gauze.report.ReleaseReport.Listed;
import io.gauze.report.Report;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code releases}: lists, shows and exports the contents of the topic of releases. */
@Command(
    name = "releases",
    description = {
      "Lists the releases of a config's topic by epoch, group and sketch; with --id shows one (its"
          + " header, not its numbers), with --export writes it to a file.",
      "Status 1 if the topic holds a record that is no release, or two bodies of one."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze releases --config examples/meters.yaml",
      "  ./gauze releases --config examples/meters.yaml \\",
      "      --id meters/all/2026-01-01T00:00:00Z/moments --export moments.avro"
    })
public final class ReleasesCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMillis(200);

  private static final Columns<ReleaseTopic.Damage> DAMAGES =
      Columns.<ReleaseTopic.Damage>create()
          .field("partition", ReleaseTopic.Damage::partition)
          .field("offset", ReleaseTopic.Damage::offset)
          .field("reason", ReleaseTopic.Damage::reason);

  private static final Comparator<ReleaseId> IN_ORDER =
      Comparator.comparing(ReleaseId::epoch, ReleaseRange.BY_EPOCH)
          .thenComparing(ReleaseId::group)
          .thenComparing(ReleaseId::sketch);

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
          "Go on with new releases until Ctrl-C, one on a line, as they come; with json one object"
              + " on a line.")
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
        format.print(found.report(stream.kafka().topics().releases()));
      }
      return found.status();
    }
  }

  private void check() {
    require(export.isEmpty() || id.isPresent(), "--export needs --id: which release to write");
    require(
        id.filter(ReleaseRange::isRange).isEmpty(),
        "--id must be one release here; ranges are for gauze fit and gauze ask. Provided value: "
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

  /**
   * Prints releases until a signal ends the program, or returns a failure if the output is closed.
   */
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
    format.print(ReleaseReport.header(release, found.wantedBytes));
  }

  /** Collects what was read: one line a release, and the release of {@code --id}. */
  private final class Found implements ReleaseTopic.Reader {
    private final List<Listed> releases = new ArrayList<>();
    private final List<ReleaseTopic.Damage> damages = new ArrayList<>();
    private Optional<Release> wanted = Optional.empty();
    private int wantedBytes;

    @Override
    public void release(Release release, ReleaseTopic.Place place) {
      Listed listed = Listed.of(release, place.bytes());
      if (follow) {
        format.print(
            new Report()
                .fields(ReleaseReport.LIST.object(listed))
                .text(String.join("  ", ReleaseReport.LIST.line(listed))));
        return;
      }
      releases.add(listed);
      if (id.filter(release.id().toString()::equals).isPresent()) {
        wanted = Optional.of(release);
        wantedBytes = place.bytes();
      }
    }

    @Override
    public void damaged(ReleaseTopic.Damage damage) {
      damages.add(damage);
      PrintWriter err = spec.commandLine().getErr();
      Message message = CommandMessage.UNREADABLE.of().with("It is at " + damage + ".");
      Messages.all("warning: ", List.of(message)).forEach(err::println);
      err.flush();
    }

    String unknown(String topic) {
      List<String> ids = releases.stream().map(each -> each.id().toString()).toList();
      return ids.isEmpty()
          ? "topic " + topic + " holds no release yet. Provided value: " + id.orElseThrow()
          : "--id must be a release of topic "
              + topic
              + "; the nearest is "
              + NearestName.of(id.orElseThrow(), ids)
              + ". Provided value: "
              + id.orElseThrow();
    }

    Report report(String topic) {
      Report report = new Report().field("topic", topic);
      if (releases.isEmpty()) {
        report.field("releases", List.of()).text("no release yet");
      } else {
        report.list("releases", ReleaseReport.LIST, inOrder());
      }
      return report.field("damaged", DAMAGES.objects(damages));
    }

    private List<Listed> inOrder() {
      return releases.stream().sorted(Comparator.comparing(Listed::id, IN_ORDER)).toList();
    }

    int status() {
      return damages.isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
    }
  }
}
