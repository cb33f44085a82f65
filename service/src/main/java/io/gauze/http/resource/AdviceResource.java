package io.gauze.http.resource;

import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.RequestException;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.http.protocol.Reply;
import io.gauze.regression.advice.ErrorSearch;
import io.gauze.report.AdviceQuestion;
import io.gauze.report.AdviceReport;
import io.gauze.report.AdvisedStream;
import io.gauze.report.Figures;
import io.gauze.report.ReleasedStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/** Which mechanism to take, and what an error takes: {@code /v1/advise}. */
final class AdviceResource {
  private static final String PATH = "/v1/advise";
  private static final List<String> PARAMETERS =
      List.of("release", "rows", "epsilon", "loss", "error", "explained", "all");

  private final ReleaseLibrary library;
  private final Questions questions;
  private final Optional<AdvisedStream> own;

  AdviceResource(ReleaseLibrary library, Questions questions, Optional<AdvisedStream> own) {
    this.library = library;
    this.questions = questions;
    this.own = own;
  }

  Resource resource() {
    return new Resource(PATH, Resource.GET, PARAMETERS, this::answer);
  }

  private CompletableFuture<Reply> answer(Call call) throws Problem {
    AdviceQuestion question = question(call.query());
    return questions.other(
        call,
        check -> {
          AdvisedStream stream = stream(call.query());
          List<String> parts = List.of(PATH, stream.key(), question.toString());
          return questions.once(call, parts, () -> advice(stream, question));
        });
  }

  private static Reply advice(AdvisedStream stream, AdviceQuestion question) throws Problem {
    try {
      byte[] body = AdviceReport.of(stream, question).json().getBytes(StandardCharsets.UTF_8);
      return Reply.of(200, Reply.JSON, body);
    } catch (IllegalArgumentException e) { // its message names the parameter
      throw Problem.bad(e.getMessage());
    }
  }

  private AdvisedStream stream(Query query) throws Problem, IOException {
    Optional<String> id = query.text("release");
    if (id.isEmpty()) {
      return own.orElseThrow(
          () ->
              Problem.bad(
                  "the parameter release is missing: a release whose columns and budget the advice"
                      + " is for, since this service was started without --config"));
    }
    try {
      return new ReleasedStream(ReleaseResources.body(library, id.get()));
    } catch (IllegalArgumentException e) {
      throw Problem.of(new RequestException(ErrorCode.REFUSED, e.getMessage()));
    }
  }

  private static AdviceQuestion question(Query query) throws Problem {
    Optional<Double> epsilon = query.number("epsilon");
    double most = ErrorSearch.MOST_EPSILON;
    if (epsilon.isPresent()
        && !(epsilon.get() >= ErrorSearch.LEAST_EPSILON && epsilon.get() <= most)) {
      throw Problem.bad(
          "epsilon must be in ["
              + ErrorSearch.LEAST_EPSILON
              + ", "
              + most
              + "]. Provided value: "
              + epsilon.get());
    }
    Optional<AdviceQuestion.Wanted> error = Optional.empty();
    if (query.text("error").isPresent()) {
      double share = query.share("error", 0);
      error = Optional.of(new AdviceQuestion.Wanted(share, Figures.percent(share)));
    }
    try {
      return new AdviceQuestion(
          query.text("loss", "ridge"),
          rows(query),
          epsilon.map(OptionalDouble::of).orElse(OptionalDouble.empty()),
          error,
          query.share("explained", AdviceQuestion.USUAL_EXPLAINED),
          query.flag("all"));
    } catch (IllegalArgumentException e) {
      throw Problem.bad(Query.shown(e.getMessage()));
    }
  }

  private static OptionalLong rows(Query query) throws Problem {
    Optional<String> rows = query.text("rows");
    if (rows.isEmpty()) {
      return OptionalLong.empty();
    }
    if (!rows.get().matches("[0-9]{1,18}")) {
      throw Problem.bad("rows must be a whole number. Provided value: " + Query.shown(rows.get()));
    }
    return OptionalLong.of(Long.parseLong(rows.get()));
  }
}
