package io.gauze.cli;

import io.gauze.audit.AuditCase;
import io.gauze.audit.AuditResult;
import io.gauze.audit.Auditor;
import io.gauze.audit.Audits;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.FormatOption;
import io.gauze.noise.Randomness;
import io.gauze.report.Columns;
import io.gauze.report.Report;
import io.gauze.summary.Progress;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code audit}: finds lower bounds on epsilon by experiment. */
@Command(
    name = "audit",
    description = {
      "Runs every mechanism on its worst neighbours and bounds its epsilon from below; then the"
          + " same for broken variants, which must be caught.",
      "",
      "A bound is wrong with chance 1e-6. Exit status 1 if a claim is refuted or a broken variant"
          + " is not caught."
    },
    footer = {"", "Example:", "  ./gauze audit --mechanism noisy-moments"})
public final class AuditCommand implements Callable<Integer> {
  private static final Columns<AuditResult> COLUMNS =
      Columns.<AuditResult>create()
          .add("mechanism", "mechanism", result -> result.audited().mechanism())
          .field("variant", result -> result.audited().variant())
          .field("sound", result -> result.audited().sound())
          .add("neighbours", "neighbours", result -> result.audited().claim().neighbours().label())
          .add("epsilon", "epsilon", result -> result.audited().claim().epsilon())
          .add("delta", "delta", result -> result.audited().claim().delta())
          .field("runs", AuditResult::runs)
          .add(
              "lowerBound",
              "at least",
              AuditResult::lowerBound,
              result -> String.format(Locale.ROOT, "%.3f", result.lowerBound()))
          .field("caught", AuditResult::caught)
          .field("asExpected", AuditResult::asExpected)
          .cell("verdict", AuditCommand::verdict)
          .cell("runs", result -> String.format(Locale.ROOT, "%,d", result.runs()))
          .cell("variant", result -> result.audited().variant());

  /** The number of runs of a case by default, as a multiple of the number that the case needs. */
  private static final int DEFAULT_FACTOR = 2;

  @Option(
      names = "--mechanism",
      paramLabel = "M",
      description =
          "Only this one (default: all, which takes minutes); a name that is not known lists them.")
  private Optional<String> mechanism;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description =
          "Of each case on each neighbour, from 1000 (default: twice what the case needs to"
              + " catch noise that is 10 %% too small).")
  private Optional<Integer> runs;

  @Mixin private FormatOption format;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    List<AuditResult> results = new ArrayList<>();
    Progress progress = new Progress(spec.commandLine().getErr());
    try {
      for (String name : mechanism.map(List::of).orElseGet(Audits::mechanisms)) {
        List<AuditCase> cases = Audits.of(name);
        progress.stage(String.format(Locale.ROOT, "%s: %d cases", name, cases.size()));
        for (AuditCase audited : cases) {
          int times = runs.orElse(DEFAULT_FACTOR * audited.runs());
          results.add(Auditor.run(audited, times, Randomness.SYSTEM));
          progress.count("cases done:", results.size());
        }
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
    List<AuditResult> wrong = results.stream().filter(result -> !result.asExpected()).toList();
    progress.stage(
        String.format(Locale.ROOT, "%d cases, %d not as expected", results.size(), wrong.size()));
    format.print(new Report().field("asExpected", wrong.isEmpty()).list("cases", COLUMNS, results));
    wrong.forEach(this::complain);
    return wrong.isEmpty() ? ExitStatus.DONE : ExitStatus.FAILED;
  }

  private void complain(AuditResult result) {
    PrintWriter err = spec.commandLine().getErr();
    AuditCase audited = result.audited();
    String hint =
        !audited.sound() && result.runs() < audited.runs()
            ? String.format(
                Locale.ROOT,
                ": too few runs to see it; leave --runs out, or give %d or more",
                audited.runs())
            : "";
    err.println("gauze: " + verdict(result) + ": " + audited + hint);
    err.flush();
  }

  private static String verdict(AuditResult result) {
    if (result.audited().sound()) {
      return result.caught() ? "REFUTED" : "stands";
    }
    return result.caught() ? "caught" : "NOT CAUGHT";
  }
}
