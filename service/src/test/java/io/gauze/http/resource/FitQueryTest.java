package io.gauze.http.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.RequestReader;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The parameters of a query are the fields of a request. */
final class FitQueryTest {
  @Test
  void aQueryIsTheRequestOfTheSameFields() throws Exception {
    Query query =
        Query.parse(
            "releases=a/all/1/s..a/all/9/s&response=y&features=b,%22c,+d%22&loss=huber&lambda=2.5"
                + "&alpha=0.25&huberThreshold=1e-1&freeIntercept=true&strict=true&scale=encoded");
    String json =
        """
        {"releases": "a/all/1/s..a/all/9/s", "response": "y", "features": ["b", "c, d"], "loss": "huber",
         "lambda": 2.5, "alpha": 0.25, "huberThreshold": 0.1, "freeIntercept": true, "strict": true,
         "scale": "encoded"}
        """;

    assertThat(FitQuery.request(query))
        .isEqualTo(RequestReader.request(JsonMapper.builder().build().readTree(json)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          loss=lad                            | the field response is missing: the column to explain
          response=y&lambda=much              | lambda must be a number. Provided value: much
          response=y&lambda=                  | lambda must be a number. Provided value:
          response=y&strict=1                 | strict must be true or false. Provided value: 1
          response=y&features=a,a             | features must be distinct. Provided value: a again
          response=y&features=                | features must hold no empty name
          response=y&features=%22a            | features must be names with commas between them
          response=y&scale=raw                | scale must be user or encoded. Provided value: raw
          response=y&alpha=0.5                | alpha must be 1.0 for loss auto
          response=y&release=a/b/1/d..a/b/2/d | release must be one id; a range, or several ids, belong into releases
          """)
  void aWrongParameterIsNamed(String query, String message) throws Exception {
    Query parsed = Query.parse(query);

    assertThatThrownBy(() -> FitQuery.request(parsed))
        .isInstanceOf(Problem.class)
        .hasMessageContaining(message);
  }
}
