package io.gauze.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.RequestReader;
import io.gauze.fit.FitQuestion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

/** The options of a fit are the fields of a request. */
final class FitOptionsTest {
  @Command
  private static final class Verb {
    @Mixin private ScaledFitOptions options;
  }

  private static FitQuestion question(String... options) {
    Verb verb = new Verb();
    new CommandLine(verb).parseArgs(options);
    return verb.options.question();
  }

  private static FitQuestion read(String json) throws Exception {
    return RequestReader.request(JsonMapper.builder().build().readTree(json)).question();
  }

  @Test
  void optionsAreTheQuestionOfTheSameFields() throws Exception {
    assertThat(question("--response", " y ")).isEqualTo(read("{\"response\": \"y\"}"));
    assertThat(
            question(
                "--response=y",
                "--features=b,\"c, d\"",
                "--features=e",
                "--loss=huber",
                "--lambda=2.5",
                "--alpha=0.25",
                "--huber-threshold=0.1",
                "--free-intercept",
                "--strict",
                "--scale=encoded"))
        .isEqualTo(
            read(
                """
                {"response": "y", "features": ["b", "c, d", "e"], "loss": "huber", "lambda": 2.5,
                 "alpha": 0.25, "huberThreshold": 0.1, "freeIntercept": true, "strict": true,
                 "scale": "encoded"}
                """));
    assertThat(question("--response=y", "--loss=quantile", "--quantile=0.9"))
        .isEqualTo(read("{\"response\": \"y\", \"loss\": \"quantile\", \"quantile\": 0.9}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --lambda=-1            | lambda must be >= 0 and finite. Provided value: -1
          --lambda=1e101         | --lambda must be in [0, 1.0E100]
          --loss=huber           | --loss huber needs --huber-threshold
          --huber-threshold=1    | --huber-threshold is for --loss huber. Provided value: --loss auto
          --alpha=0.5            | --alpha must be 1.0 for --loss auto
          --features=            | --features must hold no empty name
          --features="a          | --features must be names with commas between them
          """)
  void aWrongOptionIsNamed(String option, String message) {
    assertThatThrownBy(() -> question("--response=y", option))
        .isInstanceOf(ParameterException.class)
        .hasMessageContaining(message);
  }
}
