package io.gauze.source.avro;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gauze.row.RowRejectedException;
import io.gauze.source.BoundedBody;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLException;
import org.apache.avro.Schema;

/**
 * A client of a schema registry, which fetches schemas by id over HTTP: {@code GET
 * /schemas/ids/{id}}. Keeps nothing. Not thread-safe.
 */
public final class SchemaRegistry {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int ATTEMPTS = 5;
  private static final int MAX_BYTES = 8 << 20;
  private static final int OK = 200;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private final RegistryAccess access;
  private final Duration firstPause;
  private final Duration patience;
  private final HttpClient http;
  private final JsonMapper json = JsonMapper.builder().build();

  /**
   * Creates a client.
   *
   * @param firstPause the pause before the second attempt; each later pause is twice as long
   * @param patience how long an attempt may take, from connecting to the last byte of the answer
   */
  public SchemaRegistry(RegistryAccess access, Duration firstPause, Duration patience) {
    this.access = access;
    this.firstPause = firstPause;
    this.patience = patience;
    this.http = access.client(patience);
  }

  /**
   * Creates a client with a first pause of 250 ms and attempts of at most ten seconds. It gives up
   * after some seconds if connections are refused, and after about a minute at most.
   */
  public SchemaRegistry(RegistryAccess access) {
    this(access, Duration.ofMillis(250), PATIENCE);
  }

  /**
   * Fetches the schema of rows.
   *
   * @throws RowRejectedException if the registry answers that it has no such schema, or if the
   *     schema cannot be used
   * @throws UncheckedIOException if all attempts fail
   */
  Schema schema(int id) throws RowRejectedException {
    Schema schema = schema(id, "record");
    if (schema.getType() != Schema.Type.RECORD) {
      throw new RowRejectedException("the schema of the record's id is no record; send records");
    }
    return schema;
  }

  /** Fetches the schema of record keys, which may be of any type; throws as {@link #schema}. */
  public Schema keySchema(int id) throws RowRejectedException {
    return schema(id, "key");
  }

  private Schema schema(int id, String part) throws RowRejectedException {
    HttpRequest request = request(id);
    String problem = "";
    Duration pause = firstPause;
    for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (attempt > 1) {
        LockSupport.parkNanos(pause.toNanos());
        pause = pause.multipliedBy(2);
      }
      try {
        HttpResponse<byte[]> response = exchange(request);
        if (response.statusCode() == OK) {
          return schema(json.readTree(response.body()), part);
        }
        refuse(response.statusCode(), part);
        problem = "it answered with status " + response.statusCode();
      } catch (SSLException e) { // no attempt will end otherwise
        throw down(
            "TLS failed ("
                + e.getMessage()
                + "); set ssl.truststore.location in kafka.rows.registry.properties, and"
                + " ssl.keystore.location if it asks for a certificate");
      } catch (JsonProcessingException e) {
        problem = "its answer is no JSON";
      } catch (IOException e) {
        problem =
            e.getClass().getSimpleName() + (e.getMessage() == null ? "" : " " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UncheckedIOException(new InterruptedIOException("interrupted while asking"));
      }
    }
    throw down(problem);
  }

  private HttpRequest request(int id) {
    String base = access.url().endsWith("/") ? access.url() : access.url() + "/";
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(URI.create(base + "schemas/ids/" + id))
            .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
    access.authorization().ifPresent(value -> builder.header("Authorization", value));
    return builder.GET().build();
  }

  /**
   * Sends a request and waits for the whole answer. HTTP's request timeout covers only the headers
   * of the answer, so the wait is limited here.
   */
  private HttpResponse<byte[]> exchange(HttpRequest request)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> response =
        http.sendAsync(request, head -> new BoundedBody(MAX_BYTES));
    try {
      return response.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("its answer was not whole after " + patience, e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
    } finally {
      response.cancel(true); // closes the connection if it is still open
    }
  }

  private void refuse(int status, String part) throws RowRejectedException {
    if (status == NOT_FOUND) {
      throw new RowRejectedException(
          "the schema registry knows no schema of the "
              + part
              + "'s id, bytes 1 to 4; register it, or "
              + (part.equals("key")
                  ? "compare the bytes of keys by kafka.rows.key: {record: bytes}"
                  : "use format avro for records without id"));
    }
    if (status == UNAUTHORIZED || status == FORBIDDEN) {
      throw new UncheckedIOException(
          new IOException(
              "the schema registry at "
                  + access.url()
                  + " refuses (status "
                  + status
                  + "): check kafka.rows.registry.user, its password and its rights"));
    }
  }

  private static Schema schema(JsonNode answer, String part)
      throws IOException, RowRejectedException {
    String type = answer.path("schemaType").asText("AVRO");
    String its = "the schema of the " + part + "'s id ";
    if (!type.equals("AVRO")) {
      throw new RowRejectedException(its + "is not Avro; send " + part + "s in Avro");
    }
    if (!answer.path("references").isEmpty()) {
      throw new RowRejectedException(
          its
              + "refers to other schemas, which is not supported; register it with all its types in"
              + " it");
    }
    if (!answer.path("schema").isTextual()) {
      throw new IOException("its answer holds no schema");
    }
    try {
      return AvroNames.writer(answer.path("schema").asText());
    } catch (RuntimeException e) { // of many kinds, null pointers among them
      throw new RowRejectedException(
          its + "is not Avro that can be read; send " + part + "s with the id of another schema");
    }
  }

  private UncheckedIOException down(String problem) {
    return new UncheckedIOException(
        new IOException(
            "the schema registry at "
                + access.url()
                + " cannot be used: "
                + problem
                + ". The job begins again at its last checkpoint; no row is lost. Check"
                + " kafka.rows.registry.url and the registry"));
  }
}
