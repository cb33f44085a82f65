package io.gauze.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseHash;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.BestFit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Finds the releases of questions, and has each question answered once. Thread-safe. */
final class Questions {
  private final ReleaseLibrary library;
  private final FitDesk desk;
  private final Arrivals arrivals;
  private final String version;

  Questions(ReleaseLibrary library, FitDesk desk, Arrivals arrivals, String version) {
    this.library = library;
    this.desk = desk;
    this.arrivals = arrivals;
    this.version = version;
  }

  /** Makes an answer of a fit. */
  interface Answer {
    /**
     * Returns the answer.
     *
     * @throws Problem if there is none
     */
    Reply of(BestFit fit) throws Problem;
  }

  /**
   * Answers a GET, with an entity tag; and with the path that names the releases if the query names
   * none.
   *
   * @param shape what the answer depends on beside question and releases
   */
  Reply get(Call call, String path, SolveRequest request, List<String> shape, Answer answer)
      throws Problem, IOException {
    try {
      ReleaseLibrary.Prepared prepared = library.prepare(request);
      String key =
          String.join(
              "\n",
              version,
              path,
              String.join("\n", shape),
              request.question().toString(),
              request.releases().isEmpty() ? call.query().values().toString() : "",
              FitQuery.hashes(prepared, library.state()));
      String tag = '"' + ReleaseHash.of(key.getBytes(StandardCharsets.UTF_8)) + '"';
      if (call.has(tag)) {
        return Reply.notModified().with("ETag", tag).with("Cache-Control", "no-cache");
      }
      return desk.answer(
          key,
          () -> {
            BestFit fit = prepared.fit(request.question());
            Reply reply = answer.of(fit).with("ETag", tag);
            if (request.releases().isEmpty()) {
              String fixed = FitQuery.fixed(call.query(), FitQuery.ids(fit));
              reply.with("Content-Location", path + "?" + fixed);
            }
            return reply.with("Cache-Control", "no-cache").with("Vary", "Accept");
          });
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }

  /**
   * Answers a POST, whose releases may come until its deadline.
   *
   * @param question the body without what is no part of a question
   * @param shape what the answer depends on beside question and releases
   */
  Reply post(String path, ObjectNode question, List<String> shape, Answer answer)
      throws Problem, IOException {
    try {
      SolveRequest request = RequestReader.request(question);
      ReleaseLibrary.Prepared prepared = await(request);
      String key =
          String.join(
              "\n",
              "post",
              path,
              String.join("\n", shape),
              question.toString(),
              FitQuery.hashes(prepared, library.state()));
      return desk.answer(
          key, () -> answer.of(prepared.fit(request.question())).with("Cache-Control", "no-store"));
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }

  /** Waits for the releases of a request until its deadline. */
  private ReleaseLibrary.Prepared await(SolveRequest request) throws IOException, RequestException {
    long end = System.nanoTime() + request.deadline().toNanos();
    long revision = arrivals.revision();
    Optional<ReleaseLibrary.Prepared> found = library.find(request);
    while (found.isEmpty()) {
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw library.missing(request, "came within the deadline of " + request.deadline());
      }
      if (!arrivals.await(revision, left)) {
        throw new RequestException(
            ErrorCode.BUSY,
            "the release is not there, and as many requests wait for theirs as may; ask again once"
                + " it is there");
      }
      revision = arrivals.revision();
      found = library.find(request);
    }
    return found.get();
  }

  /** Refuses parameters of a POST that belong into its body. */
  static void requireInBody(Call call, List<String> allowed) throws Problem {
    for (String name : call.query().values().keySet()) {
      if (!allowed.contains(name)) {
        throw Problem.bad(
            "a POST has its question in the body, and only "
                + String.join(", ", allowed)
                + " in the query. Provided value: "
                + name);
      }
    }
  }
}
