package io.gauze.cli;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.cli.flink.BrokerCheck;
import io.gauze.cli.option.ConfigLocation;
import io.gauze.cli.option.ConfigOption;
import io.gauze.cli.option.CsvFileOptions;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.cli.option.RowsOption;
import io.gauze.cli.rows.CsvProducer;
import io.gauze.cli.rows.MadeUpRows;
import io.gauze.cli.rows.TopicSender;
import io.gauze.config.ConfigException;
import io.gauze.config.RowsSettings;
import io.gauze.config.StreamConfig;
import io.gauze.local.CloseAtExit;
import io.gauze.report.Figures;
import io.gauze.source.Change;
import io.gauze.source.RowFields;
import io.gauze.source.file.CsvRows;
import io.gauze.source.format.RecordWriter;
import io.gauze.summary.Progress;
import io.gauze.topic.KafkaAccess;
import io.gauze.topic.TopicAdmin;
import io.gauze.topic.TopicException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.kafka.common.header.Header;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code send}: sends the rows of a file to the rows topic. */
@Command(
    name = "send",
    description = {
      "Sends the rows of a CSV file, or made-up ones, to the rows topic, in the config's format"
          + " (json, csv, avro or debezium-json) and with its keys.",
      "JSON and Debezium's events have all columns of the file, CSV those of kafka.rows.columns,"
          + " Avro those of the schema. Stopped by Ctrl-C, it says how many rows are sent."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze send --config examples/wine-live.yaml --csv winequality-white.csv",
      "  zcat FILE | ./gauze send --config examples/meters.yaml --csv - --rate 1000",
      "  ./gauze send --config examples/meters.yaml --synthetic 100000 --rate 1000"
    })
public final class SendCommand implements Callable<Integer> {
  private static final long MOST_RATE = 1_000_000_000;

  @Mixin private ConfigOption config;

  @ArgGroup(exclusive = true, multiplicity = "1")
  private RowsOption rows;

  @Mixin private CsvFileOptions csvOptions;

  @Option(
      names = "--delete",
      description =
          "Take the rows back: send their deletions. For changelogs only (upsert, debezium-json).")
  private boolean delete;

  @Option(names = "--rate", paramLabel = "N", description = "At most so many rows a second.")
  private Optional<Long> rate;

  @Option(
      names = "--force",
      description = "Send made-up rows even to a topic that holds other rows.")
  private boolean force;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException {
    StreamConfig stream = config.read();
    check(stream);
    try (CsvRows read = rows.open(stream, csvOptions.read(spec))) {
      CsvProducer run = run(stream, writer(stream));
      KafkaAccess kafka = BrokerCheck.connect(stream, spec.commandLine().getErr());
      StillWaiting.during(
          kafka + ": topic " + topic(stream),
          spec.commandLine().getErr(),
          () -> {
            prepareTopic(stream, kafka);
            requireNoOthers(stream, kafka);
            return kafka;
          });
      CloseAtExit.register(run);
      try {
        report(send(run, read, stream, kafka), stream);
      } finally {
        run.end();
        CloseAtExit.forget(run);
      }
    }
    return ExitStatus.DONE;
  }

  private CsvProducer.Sent send(
      CsvProducer run, CsvRows read, StreamConfig stream, KafkaAccess kafka) throws IOException {
    Progress progress = new Progress(spec.commandLine().getErr());
    progress.stage("sending " + what(stream) + " to topic " + topic(stream));
    List<Header> headers = rows.isSynthetic() ? MadeUpRows.HEADERS : List.of();
    try (TopicSender sender = new TopicSender(kafka, topic(stream), headers)) {
      return run.send(read, sender, progress);
    }
  }

  /** Refuses to mix made-up rows with others. */
  private void requireNoOthers(StreamConfig stream, KafkaAccess kafka) throws IOException {
    require(
        !rows.isSynthetic() || force || !MadeUpRows.hasOthers(kafka, topic(stream)),
        "--synthetic: topic "
            + topic(stream)
            + " holds rows that send --synthetic did not make, and nothing could tell them from"
            + " made-up ones in a release. Name another kafka.rows.topic for a rehearsal, or send"
            + " all the same with --force");
  }

  private void check(StreamConfig stream) throws ConfigException {
    RowsSettings records = stream.kafka().rows();
    rows.check(spec);
    long perSecond = rate.orElse(1L);
    require(
        perSecond >= 1 && perSecond <= MOST_RATE,
        "--rate must be in [1, " + MOST_RATE + "]. Provided value: " + perSecond);
    require(
        !delete || !rows.isSynthetic(),
        "--delete takes rows of a file back: give --csv instead of --synthetic");
    require(
        !delete || records.isChangelog(),
        "--delete needs a changelog, since no record of an append-only topic can be taken back; in"
            + " the config, use kafka.rows.upsert or format debezium-json");
    require(
        !force || rows.isSynthetic(),
        "--force is for --synthetic, and has no meaning beside --csv");
    if (records.key().isPresent() && stream.keyField().isEmpty()) {
      throw new ConfigException(
          "kafka.rows.key must be {field: NAME}, so that send knows which column is the record's"
              + " key. Provided value: record");
    }
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  /** Returns the writer of the records' values; empty for records without value. */
  private Optional<RecordWriter> writer(StreamConfig stream) throws ConfigException {
    RowsSettings rows = stream.kafka().rows();
    if (delete && rows.upsert()) {
      return Optional.empty();
    }
    RowFields fields = RowFields.of(stream.schema(), List.of());
    Optional<RecordWriter> writer =
        rows.format().writer(fields, delete ? Change.DELETE : Change.INSERT);
    if (writer.isEmpty()) {
      throw new ConfigException(
          "kafka.rows.format: send cannot write "
              + rows.format().label()
              + ", for which it would have to register a schema; use a producer with the registry's"
              + " own serializer, or format avro");
    }
    return writer;
  }

  private CsvProducer run(StreamConfig stream, Optional<RecordWriter> writer) {
    return new CsvProducer(
        writer,
        stream.keyField().map(field -> new CsvProducer.KeyColumn(field, isByValue(stream, field))),
        rate.isEmpty() ? OptionalLong.empty() : OptionalLong.of(rate.get()));
  }

  /**
   * Returns whether the job compares the keys by value: ids of users, and keys of a table that are
   * numbers in JSON.
   */
  private static boolean isByValue(StreamConfig stream, String field) {
    RowFields fields = RowFields.of(stream.schema(), List.of(field));
    int index = fields.index(field);
    boolean isText = fields.isColumn(index) && !fields.wantsNumber(index);
    boolean isJson = stream.kafka().rows().format().isJson();
    return stream.unit().field().isPresent() || (isJson && !isText);
  }

  private static void prepareTopic(StreamConfig stream, KafkaAccess kafka)
      throws IOException, ConfigException {
    try (TopicAdmin admin = new TopicAdmin(kafka, stream.kafka().create())) {
      admin.rows(
          topic(stream), stream.epochs().needsAppendTime(), stream.kafka().rows().isChangelog());
    } catch (TopicException e) {
      throw ConfigLocation.topics(stream, e);
    }
  }

  private String what(StreamConfig stream) {
    return (delete ? "deletions of " : "") + rows.what() + " as " + label(stream);
  }

  private static String topic(StreamConfig stream) {
    return stream.kafka().topics().rows();
  }

  private static String label(StreamConfig stream) {
    return stream.kafka().rows().format().label();
  }

  private void report(CsvProducer.Sent sent, StreamConfig stream) {
    PrintWriter err = spec.commandLine().getErr();
    sent.leftOut().warning(sent.rows()).forEach(err::println);
    err.flush();
    PrintWriter out = spec.commandLine().getOut();
    if (format.json()) {
      ObjectNode node = JsonMapper.builder().build().createObjectNode();
      node.put("topic", topic(stream)).put("format", label(stream)).put("deleted", delete);
      node.put("rows", sent.rows())
          .put("leftOut", sent.leftOut().rows())
          .put("stopped", sent.stopped());
      out.println(node);
    } else {
      out.printf(
          Locale.ROOT,
          "%s %s topic %s%s%n",
          Figures.rows(sent.rows()),
          delete ? "deleted in" : "sent to",
          topic(stream),
          sent.stopped() ? ", stopped before the end of the file" : "");
    }
    out.flush();
  }
}
