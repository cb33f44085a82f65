package io.gauze.http.resource;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.answer.ReleaseRange;
import io.gauze.answer.RequestException;
import io.gauze.answer.SolveRequest;
import io.gauze.fit.FitQuestion;
import io.gauze.fit.FitReport;
import io.gauze.fit.Term;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.Call.Format;
import io.gauze.http.protocol.Checkpoint;
import io.gauze.http.protocol.CsvReply;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.http.protocol.Reply;
import io.gauze.mechanism.ReleaseId;
import io.gauze.report.TidyTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Coefficients over epochs, each epoch added up with those before it: {@code /v1/series}. */
final class SeriesResource {
  private static final String PATH = "/v1/series";
  private static final List<Format> FORMATS =
      List.of(new Format("json", Reply.JSON), new Format("csv", Reply.CSV));
  private static final int MOST_WINDOW = 1000;

  /** The most releases that are read for one answer, counted once a window. */
  private static final int MOST_READ = 2000;

  private final ReleaseLibrary library;
  private final Questions questions;

  SeriesResource(ReleaseLibrary library, Questions questions) {
    this.library = library;
    this.questions = questions;
  }

  Resource resource() {
    List<String> parameters =
        new ArrayList<>(List.of("stream", "group", "sketch", "from", "to", "window"));
    parameters.addAll(FitQuery.QUESTION);
    parameters.addAll(List.of("level", "format"));
    return new Resource(PATH, Resource.GET, parameters, this::answer);
  }

  private CompletableFuture<Reply> answer(Call call) throws Problem {
    Query query = call.query();
    Format format = call.format(FORMATS);
    ReleaseResources.checkEpochs(query);
    double level = query.share("level", Term.USUAL_LEVEL);
    int window = query.whole("window", 1, MOST_WINDOW, 1);
    SolveRequest question = FitQuery.request(query);
    List<Entry> entries = entries(query);
    if ((long) entries.size() * window > MOST_READ) {
      throw Problem.of(
          new RequestException(
              ErrorCode.REFUSED,
              "epochs times window must be at most "
                  + MOST_READ
                  + ". Provided value: "
                  + entries.size()
                  + " times "
                  + window
                  + ". Give from and to, or a shorter window"));
    }
    List<String> parts =
        List.of(
            PATH,
            format.name(),
            query.raw(),
            entries.stream().map(Entry::sha256).collect(Collectors.joining(",")));
    return questions.other(
        call,
        check ->
            questions.once(
                call,
                parts,
                () -> {
                  Rolling rolling =
                      new Rolling(
                          library, question, entries, window, level, check, new ArrayList<>());
                  Reply reply =
                      format.name().equals("csv")
                          ? CsvReply.of(rolling.csv(), rolling.refused())
                          : Reply.json(rolling.json());
                  return reply.with("Vary", "Accept");
                }));
  }

  /** Returns the releases of the wanted stream, group and sketch, the earliest first. */
  private List<Entry> entries(Query query) throws Problem {
    List<Entry> all = library.state().entries();
    String sketch =
        query
            .text("sketch")
            .orElseThrow(() -> Problem.bad("the parameter sketch is missing: whose releases"));
    String stream = query.text("stream").isPresent() ? query.text("stream", "") : onlyStream();
    String group = query.text("group", ReleaseId.ALL);
    List<Entry> found =
        all.stream()
            .filter(each -> each.id().sketch().equals(sketch))
            .filter(each -> each.id().group().equals(group))
            .filter(each -> each.id().stream().equals(stream))
            .filter(each -> within(each.id().epoch(), query))
            .sorted(Comparator.comparing(each -> each.id().epoch(), ReleaseRange.BY_EPOCH))
            .toList();
    if (found.isEmpty()) {
      throw Problem.of(
          new RequestException(
              ErrorCode.UNKNOWN_RELEASE,
              "there is no release of "
                  + Query.shown(String.join("/", stream, group, sketch))
                  + " between from and to; "
                  + "/v1/releases lists what there is"));
    }
    return found;
  }

  private String onlyStream() throws Problem {
    try {
      return library.onlyStream("stream");
    } catch (RequestException e) {
      throw Problem.of(e);
    }
  }

  private static boolean within(String epoch, Query query) {
    return query
            .text("from")
            .filter(from -> ReleaseRange.BY_EPOCH.compare(epoch, from) < 0)
            .isEmpty()
        && query.text("to").filter(to -> ReleaseRange.BY_EPOCH.compare(to, epoch) < 0).isEmpty();
  }

  /** Fits of windows of epochs. */
  private record Rolling(
      ReleaseLibrary library,
      SolveRequest question,
      List<Entry> entries,
      int window,
      double level,
      Checkpoint check,
      List<String> refused) {
    private FitReport at(int last) throws IOException, RequestException {
      check.pass();
      ReleaseRange range =
          new ReleaseRange(
              entries.get(Math.max(0, last - window + 1)).id(), entries.get(last).id());
      SolveRequest request =
          new SolveRequest(List.of(range), question.question(), question.deadline());
      FitQuestion asked = question.question();
      return library.prepare(request).fit(asked).report(asked.userUnits(), level);
    }

    ObjectNode json() throws IOException {
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      all.put("series", ReleaseRange.series(entries.get(0).id()));
      all.put("response", question.question().response());
      all.put("window", window);
      all.put("scale", question.question().userUnits() ? "user" : "encoded");
      all.put("level", level);
      ArrayNode epochs = all.putArray("epochs");
      for (int k = 0; k < entries.size(); k++) {
        ObjectNode entry = epochs.addObject().put("epoch", entries.get(k).id().epoch());
        try {
          Points.add(entry, at(k));
        } catch (RequestException e) {
          entry.putObject("error").put("code", e.code().text()).put("message", e.getMessage());
        }
      }
      return all;
    }

    String csv() throws IOException {
      StringBuilder csv = new StringBuilder("epoch," + TidyTable.HEADER + ",comment\n");
      for (int k = 0; k < entries.size(); k++) {
        String epoch = TidyTable.text(entries.get(k).id().epoch());
        try {
          Points.add(csv, epoch, at(k));
        } catch (RequestException e) {
          csv.append(epoch).append(",,,,,,,,").append(TidyTable.text(e.getMessage())).append('\n');
          refused.add("epoch " + entries.get(k).id().epoch() + ": " + e.getMessage());
        }
      }
      return csv.toString();
    }
  }
}
