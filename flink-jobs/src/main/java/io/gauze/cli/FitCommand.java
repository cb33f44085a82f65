package io.gauze.cli;

import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.NoFitException;
import io.gauze.cli.option.ReportOption;
import io.gauze.cli.option.ScaledFitOptions;
import io.gauze.cli.release.ReleaseOptions;
import io.gauze.config.ConfigException;
import io.gauze.fit.BestFit;
import io.gauze.fit.FitReport;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The verb {@code fit}: fits releases, which is post-processing and costs no more privacy. */
@Command(
    name = "fit",
    description = {
      "Fits a regression on a release: from files, or from a config's topic. As many fits as you"
          + " like cost no more privacy.",
      "Several files, or a range of ids, are added up: epochs of one sketch, or also, of files,"
          + " groups and streams of one encoding. With --config and no --id the latest epoch is"
          + " taken, of the sketch that promises the smallest error."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze demo",
      "  ./gauze fit --release gauze-demo/smart-meters/moments.avro --response kwh",
      "  ./gauze fit --config examples/meters.yaml --response kwh --loss lasso",
      "  ./gauze fit --release FILE,FILE --response kwh"
    })
public final class FitCommand implements Callable<Integer> {
  @Mixin private ReleaseOptions releases;

  @Mixin private ScaledFitOptions options;

  @Mixin private ReportOption report;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws ConfigException, IOException, NoFitException {
    releases.check();
    double level = options.level(); // before anything is read
    report.check();
    PrintWriter err = spec.commandLine().getErr();
    BestFit best = new FitRun(options, err).fit(releases.read());
    releases.sayIfEmpty(best, err);
    FitReport fit = best.report(options.userUnits(), level);
    options.print(fit);
    options.write(report, fit);
    return ExitStatus.DONE;
  }
}
