package io.gauze.regression;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.message.FitMessage;
import java.util.Arrays;
import java.util.List;

/** The messages of a fit as entries of the catalogue; fails if one is said twice. */
public final class Said {
  private Said() {}

  /** Returns the entries, the most severe first. */
  public static List<FitMessage> by(Fit fit) {
    List<FitMessage> entries =
        fit.warnings().stream()
            .map(
                message ->
                    Arrays.stream(FitMessage.values())
                        .filter(message::is)
                        .findFirst()
                        .orElseThrow())
            .toList();
    // each end of a range is a cause of its own
    assertThat(entries.stream().filter(entry -> entry != FitMessage.CLAMPED))
        .doesNotHaveDuplicates();
    return entries;
  }

  /** Returns the sentences of what is of an entry. */
  public static List<String> of(FitMessage entry, Fit fit) {
    assertThat(by(fit)).isNotNull();
    return fit.warnings().stream()
        .filter(message -> message.is(entry))
        .map(message -> message.message())
        .toList();
  }
}
