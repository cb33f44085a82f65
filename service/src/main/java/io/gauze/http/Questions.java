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
import java.util.concurrent.Callable;

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

  /** Reads the question of a call, if nobody has asked it in the same words. */
  interface Asked {
    /**
     * Returns the request.
     *
     * @throws Problem if it cannot be read
     */
    SolveRequest request() throws Problem;
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
  Reply get(Call call, String path, Asked asked, List<String> shape, Answer answer)
      throws Problem, IOException {
    // Reading a question costs more than a kept answer, so equal texts are looked up first.
    String words =
        String.join(
            "\n", "words", path, call.query().raw(), shape.toString(), library.state().tag());
    Optional<Reply> known = desk.kept(words);
    if (known.isPresent()) {
      String tag = known.get().headers().get("ETag");
      return call.has(tag) ? unchanged(tag) : known.get();
    }
    SolveRequest request = asked.request();
    boolean latest = request.releases().isEmpty();
    try {
      ReleaseLibrary.Prepared prepared = library.prepare(request);
      Reply reply =
          tagged(
              call,
              List.of(
                  path,
                  String.join("\n", shape),
                  request.question().toString(),
                  latest ? call.query().raw() : "",
                  FitQuery.hashes(prepared, library.state())),
              () -> {
                BestFit fit = prepared.fit(request.question());
                Reply made = answer.of(fit).with("Vary", "Accept");
                return latest ? made.with("Content-Location", path + "?" + fixed(call, fit)) : made;
              });
      if (reply.status() == 200) {
        desk.keep(words, reply);
      }
      return reply;
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }

  private static String fixed(Call call, BestFit fit) {
    return FitQuery.fixed(call.query(), FitQuery.ids(fit));
  }

  /**
   * Answers with an entity tag, once for all equal questions; and without a body if the client has
   * the answer.
   *
   * @param parts all that the answer depends on beside the version of the program; the first is the
   *     resource
   */
  Reply tagged(Call call, List<String> parts, Callable<Reply> work) throws Problem {
    String key = version + "\n" + String.join("\n", parts);
    String tag = '"' + ReleaseHash.of(key.getBytes(StandardCharsets.UTF_8)) + '"';
    return call.has(tag)
        ? unchanged(tag)
        : desk.answer(key, () -> work.call().with("ETag", tag).with("Cache-Control", "no-cache"));
  }

  private static Reply unchanged(String tag) {
    return Reply.notModified().with("ETag", tag).with("Cache-Control", "no-cache");
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
