package io.gauze.cli;

import io.gauze.config.ConfigException;
import io.gauze.config.StreamConfig;
import io.gauze.release.StreamPlan;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Reads a config, checks everything in it and says what it means. */
@Command(
    name = "check",
    description =
        "Finds everything that is wrong with a config, without reading a row, and sums it up.",
    footer = {"", "Example:", "  gauze check --config wine.yaml"})
final class CheckCommand implements Callable<Integer> {
  @Mixin private ConfigOption config;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, PrivacyRefusalException {
    StreamConfig stream = config.read();
    PrintWriter out = spec.commandLine().getOut();
    StreamPlan plan = RunCommand.plan(stream);
    ConfigSummary summary = new ConfigSummary(stream, plan);
    out.print(format.json() ? summary.json() : summary.table());
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    plan.warnings().forEach(warning -> err.println("warning: " + warning));
    err.flush();
    return ExitStatus.DONE;
  }
}
