package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.JobStreams;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads configs, checks everything in them and says what they mean. */
@Command(
    name = "check",
    description = {
      "Finds everything that is wrong with a config, without reading a row, and sums it up.",
      "Of several configs, also whether they can be one job; in JSON, a line for each."
    },
    footer = {"", "Example:", "  gauze check --config wine.yaml"})
final class CheckCommand implements Callable<Integer> {
  @Mixin private ConfigsOption configs;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, PrivacyRefusalException {
    JobStreams job = configs.read();
    PrintWriter out = spec.commandLine().getOut();
    SketchJobPlan planned = SketchJobPlan.of(job);
    boolean first = true;
    for (SketchJobPlan.Planned stream : planned.streams()) {
      ConfigSummary summary = new ConfigSummary(stream.config(), stream.plan());
      out.print(first || format.json() ? "" : System.lineSeparator());
      out.print(format.json() ? summary.json() : summary.table());
      first = false;
    }
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    planned.warn(err);
    err.flush();
    return ExitStatus.DONE;
  }
}
