package io.gauze.cli.option;

import io.gauze.accounting.Guarantee;
import picocli.CommandLine.Option;

/** The option that prints a guarantee at full length. */
public final class GuaranteeOption {
  @Option(
      names = "--guarantee",
      description =
          "Print the whole guarantee, with its assumptions and why it holds, instead of a sentence.")
  private boolean whole;

  /** Returns whether the whole guarantee is wanted. */
  public boolean whole() {
    return whole;
  }

  /** Returns the guarantee at the wanted length. */
  public String of(Guarantee guarantee) {
    return whole ? guarantee.sentence() : guarantee.summary();
  }
}
