package io.gauze.http.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.answer.SmallReleases;
import io.gauze.http.RunningService;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predictions of small releases, whose law is y = 0.5 a - 0.25 b + noise of deviation 0.058. */
final class PredictResourceTest {
  private static final String RELEASE =
      "release=" + SmallReleases.id(1) + "&response=y&features=a,b";

  @TempDir private Path folder;
  private RunningService service;

  @BeforeEach
  void start() throws Exception {
    service = RunningService.start(folder, Optional.empty());
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private JsonNode json(String uri) throws Exception {
    return JsonMapper.builder().build().readTree(service.get(uri).body());
  }

  private JsonNode predict(String row, String more) throws Exception {
    String encoded = URLEncoder.encode(row, StandardCharsets.UTF_8);
    return json("/v1/predict?" + RELEASE + "&row=" + encoded + more);
  }

  @Test
  void aPredictionIsThatOfTheCoefficients() throws Exception {
    JsonNode fit = json("/v1/fit?" + RELEASE);
    JsonNode row = predict("{\"a\":0.5,\"b\":-1,\"y\":7,\"other\":[]}", "").at("/predictions/0");
    double expected =
        fit.at("/coefficients/(intercept)").asDouble()
            + 0.5 * fit.at("/coefficients/a").asDouble()
            - fit.at("/coefficients/b").asDouble();
    assertThat(row.path("fit").asDouble()).isCloseTo(expected, within(1e-6));
    assertThat(row.path("clamped")).isEmpty();
    // noise hides hardly anything here: the interval is that of the standard error, hardly longer
    double half = 0.5 * (row.path("upper").asDouble() - row.path("lower").asDouble());
    double error = row.path("stdError").asDouble();
    assertThat(half).isBetween(1.959964 * error, 1.001 * 1.959964 * error);
    double parts =
        Math.hypot(row.path("samplingError").asDouble(), row.path("privacyError").asDouble());
    assertThat(row.path("stdError").asDouble()).isCloseTo(parts, within(1e-12));
    assertThat(row.path("lower").asDouble()).isLessThan(0.5).isLessThan(expected);
  }

  /**
   * Where all columns are 0, the interval is that of the intercept, of 95 % if no level is given.
   */
  @Test
  void theIntervalAtTheInterceptIsItsOwn() throws Exception {
    JsonNode fit = json("/v1/fit?level=0.95&" + RELEASE);
    JsonNode row = predict("{\"a\":0,\"b\":0}", "").at("/predictions/0");
    assertThat(row.path("lower").asDouble())
        .isCloseTo(fit.at("/confLow/(intercept)").asDouble(), within(1e-12));
    assertThat(row.path("upper").asDouble())
        .isCloseTo(fit.at("/confHigh/(intercept)").asDouble(), within(1e-12));
  }

  /** A row in the middle of its columns is as certain as the intercept there. */
  @Test
  void theMiddleHasTheErrorOfTheEncodedIntercept() throws Exception {
    double error =
        json("/v1/fit?level=0.95&scale=encoded&" + RELEASE)
            .at("/standardErrors/(intercept)")
            .asDouble();
    JsonNode row = predict("{\"a\":0,\"b\":0}", "").at("/predictions/0");
    assertThat(row.path("stdError").asDouble()).isCloseTo(2.0 * error, within(1e-5 * error));
  }

  @Test
  void valuesBeyondTheRangeAreMovedAndSaid() throws Exception {
    JsonNode far = predict("{\"a\":50,\"b\":0}", "").at("/predictions/0");
    JsonNode end = predict("{\"a\":1,\"b\":0}", "").at("/predictions/0");
    assertThat(far.path("fit")).isEqualTo(end.path("fit"));
    assertThat(far.path("clamped").toString()).isEqualTo("[\"a\"]");
    assertThat(end.path("clamped")).isEmpty();
  }

  /** Without b the residuals have the deviation 0.155. */
  @Test
  void anIntervalOfOneRowIsWiderByTheResidualScale() throws Exception {
    String question = "?response=y&features=a&release=" + SmallReleases.id(1);
    double scale = json("/v1/fit" + question).at("/summary/residualScale/estimate").asDouble();
    String path = "/v1/predict" + question + "&level=0.9&row=%7B%22a%22:0%7D";
    JsonNode mean = json(path).at("/predictions/0");
    JsonNode single = json(path + "&interval=prediction").at("/predictions/0");
    assertThat(scale).isBetween(0.1, 0.2);
    assertThat(single.path("stdError")).isEqualTo(mean.path("stdError"));
    double half = 0.5 * (single.path("upper").asDouble() - single.path("lower").asDouble());
    double wide = 1.644854 * Math.hypot(scale, mean.path("stdError").asDouble());
    assertThat(half).isCloseTo(wide, within(1e-6));
  }

  /** With b the noise covers the residuals. */
  @Test
  void anIntervalOfOneRowIsWithheldWhereTheResidualScaleIs() throws Exception {
    JsonNode answer = predict("{\"a\":0,\"b\":0}", "&interval=prediction");
    assertThat(answer.at("/predictions/0/upper").isNull()).isTrue();
    assertThat(answer.at("/predictions/0/stdError").isNumber()).isTrue();
    assertThat(answer.path("withheld").asText())
        .contains("single responses is not known", "cannot be told from the noise");
  }

  @Test
  void manyRowsAreThoseOfEach() throws Exception {
    String body =
        "{\"response\":\"y\",\"features\":[\"a\",\"b\"],\"release\":\""
            + SmallReleases.id(1)
            + "\",\"rows\":[{\"a\":1,\"b\":0},{\"a\":0,\"b\":1}]}";
    JsonNode both = JsonMapper.builder().build().readTree(service.post("/v1/predict", body).body());
    assertThat(both.at("/predictions/0"))
        .isEqualTo(predict("{\"a\":1,\"b\":0}", "").at("/predictions/0"));
    assertThat(both.at("/predictions/1"))
        .isEqualTo(predict("{\"a\":0,\"b\":1}", "").at("/predictions/0"));
    assertThat(service.post("/v1/predict", body.replace("\"b\":1", "\"b\":\"x\"")).body())
        .contains("row 2: column b: got a text");
  }

  /** A lasso that chooses its penalty has no standard errors, so there is no interval. */
  @Test
  void anIntervalIsWithheldWhereErrorsAre() throws Exception {
    JsonNode answer = predict("{\"a\":1,\"b\":0}", "&loss=lasso");
    assertThat(answer.at("/predictions/0/lower").isNull()).isTrue();
    assertThat(answer.at("/predictions/0/fit").isNumber()).isTrue();
    assertThat(answer.path("withheld").asText()).contains("standard error of a coefficient");
    assertThat(predict("{\"a\":1}", "").path("detail").asText())
        .contains("row 1: column b: field b is missing");
  }
}
