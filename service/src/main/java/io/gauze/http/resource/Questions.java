package io.gauze.http.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ReleaseHash;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.RequestException;
import io.gauze.answer.RequestReader;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.BestFit;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.Checkpoint;
import io.gauze.http.protocol.FitExecutor;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.ReleaseSignal;
import io.gauze.http.protocol.Reply;
import io.gauze.http.protocol.ServiceMetrics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Finds the releases of questions, and has each question answered once. Thread-safe. */
final class Questions {
  private final ReleaseLibrary library;
  private final FitExecutor executor;
  private final ReleaseSignal signal;
  private final ServiceMetrics metrics;
  private final String version;

  Questions(ServiceResources.Parts parts) {
    this.library = parts.library();
    this.executor = parts.executor();
    this.signal = parts.signal();
    this.metrics = parts.metrics();
    this.version = parts.version();
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
     * @param check to be passed between parts of long work
     * @throws Problem if there is none
     */
    Reply of(BestFit fit, Checkpoint check) throws Problem;
  }

  /**
   * Answers a GET, with an entity tag; and with the path that names the releases if the query names
   * none.
   *
   * @param shape what the answer depends on beside question and releases
   */
  CompletableFuture<Reply> get(Call call, Asked asked, List<String> shape, Answer answer)
      throws Problem {
    // Reading a question costs more than a kept answer, so equal texts are looked up first.
    String path = call.pattern();
    String words =
        String.join(
            "\n", "words", path, call.query().raw(), shape.toString(), library.state().tag());
    Optional<Reply> known = executor.kept(words);
    if (known.isPresent()) {
      String tag = known.get().headers().get("ETag");
      return CompletableFuture.completedFuture(call.has(tag) ? unchanged(tag) : known.get());
    }
    SolveRequest request = asked.request();
    boolean latest = request.releases().isEmpty();
    return executor.answer(
        call.client(),
        words + "\n" + call.ifNoneMatch(),
        check -> {
          ReleaseLibrary.Prepared prepared = library.prepare(request);
          List<String> parts =
              List.of(
                  path,
                  String.join("\n", shape),
                  request.question().toString(),
                  latest ? call.query().raw() : "",
                  FitQuery.hashes(prepared, library.state()));
          Reply reply =
              once(
                  call,
                  parts,
                  () -> {
                    BestFit fit = prepared.fit(request.question());
                    Reply made = answer.of(fit, check).with("Vary", "Accept");
                    return latest
                        ? made.with("Content-Location", path + "?" + fixed(call, fit))
                        : made;
                  });
          if (reply.status() == 200) {
            executor.keep(words, reply);
          }
          return reply;
        });
  }

  private static String fixed(Call call, BestFit fit) {
    return FitQuery.fixed(call.query(), FitQuery.ids(fit));
  }

  /** Makes an answer. */
  interface Making {
    /**
     * Returns the answer.
     *
     * @throws Exception {@link RequestException} or {@link Problem} if there is none
     */
    Reply make() throws Exception;
  }

  /**
   * Answers with an entity tag; without a body if the client has the answer, which is known before
   * anything is computed.
   *
   * @param parts all that the answer depends on beside the version of the program; the first is the
   *     resource
   */
  Reply once(Call call, List<String> parts, Making making) throws Exception {
    String key = version + "\n" + String.join("\n", parts);
    String tag = '"' + ReleaseHash.of(key.getBytes(StandardCharsets.UTF_8)) + '"';
    if (call.has(tag)) {
      return unchanged(tag);
    }
    Optional<Reply> known = executor.kept(key);
    if (known.isPresent()) {
      return known.get();
    }
    Reply made = making.make().with("ETag", tag).with("Cache-Control", "no-cache");
    metrics.fitted();
    executor.keep(key, made);
    return made;
  }

  /** Answers a GET that needs no release to be prepared. */
  CompletableFuture<Reply> other(Call call, FitExecutor.Work work) {
    return executor.answer(call.client(), call.words() + "\n" + library.state().tag(), work);
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
  CompletableFuture<Reply> post(Call call, ObjectNode question, List<String> shape, Answer answer)
      throws Problem {
    SolveRequest request;
    try {
      request = RequestReader.request(question);
    } catch (RequestException e) {
      throw Problem.of(e);
    }
    String key =
        String.join("\n", "post", call.pattern(), String.join("\n", shape), question.toString());
    FitExecutor.Work work =
        check -> {
          Optional<ReleaseLibrary.Prepared> found = library.find(request);
          return found.isPresent()
              ? posted(
                  key + "\n" + FitQuery.hashes(found.get(), library.state()),
                  () -> answer.of(found.get().fit(request.question()), check))
              : Awaited.NOT_YET;
        };
    String late = "came within the deadline of " + request.deadline();
    return Awaited.answer(
        signal,
        call.client(),
        request.deadline(),
        new Awaited.Looks(
            () -> executor.answer(call.client(), key + "\n" + signal.revision(), work),
            () -> executor.answer(call.client(), key, check -> missing(request, late))));
  }

  private Reply missing(SolveRequest request, String when) throws RequestException {
    throw library.missing(request, when);
  }

  private Reply posted(String key, Making making) throws Exception {
    Optional<Reply> known = executor.kept(key);
    if (known.isPresent()) {
      return known.get();
    }
    Reply made = making.make().with("Cache-Control", "no-store");
    metrics.fitted();
    executor.keep(key, made);
    return made;
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
