package io.gauze.http.protocol;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.DoubleSupplier;

/** The service's metrics, in the text format of Prometheus. They count requests, never rows. */
public final class ServiceMetrics {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Counter requests =
      Counter.builder()
          .name("gauze_http_requests_total")
          .help("Requests by resource and status")
          .labelNames("resource", "status")
          .register(registry);
  private final Histogram seconds =
      Histogram.builder()
          .name("gauze_http_request_seconds")
          .help("Time from a request to its answer")
          .labelNames("resource")
          .classicOnly()
          .classicUpperBounds(0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 30)
          .register(registry);
  private final Counter fits =
      Counter.builder()
          .name("gauze_fits_total")
          .help("Answers that were computed")
          .register(registry);
  private final Counter keptAnswers =
      Counter.builder()
          .name("gauze_fits_kept_total")
          .help("Answers that were known already")
          .register(registry);

  public void answered(String resource, int status, double took) {
    requests.labelValues(resource, Integer.toString(status)).inc();
    seconds.labelValues(resource).observe(took);
  }

  public void fitted() {
    fits.inc();
  }

  void kept() {
    keptAnswers.inc();
  }

  /** Adds a number that is read whenever somebody asks. */
  public void gauge(String name, String help, DoubleSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call(value.getAsDouble()))
        .register(registry);
  }

  public Reply reply() {
    PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.create();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      writer.write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return Reply.of(200, writer.getContentType(), out.toByteArray())
        .with("Cache-Control", "no-store");
  }
}
