package io.gauze.http.resource;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gauze.answer.ErrorCode;
import io.gauze.answer.ReleaseHash;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.answer.ReleaseLibrary.Entry;
import io.gauze.answer.ReleaseList;
import io.gauze.answer.ReleaseRange;
import io.gauze.answer.ReleaseTopic;
import io.gauze.answer.RequestException;
import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.Call.Format;
import io.gauze.http.protocol.FitExecutor;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.http.protocol.Reply;
import io.gauze.mechanism.ReleaseId;
import io.gauze.message.NearestName;
import io.gauze.release.GuaranteeJson;
import io.gauze.release.Release;
import io.gauze.release.ReleaseFile;
import io.gauze.report.Columns;
import io.gauze.report.ReleaseReport;
import io.gauze.report.Report;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The list of releases, single releases and their guarantees. */
final class ReleaseResources {
  private static final String ONE = "/v1/releases/{stream}/{group}/{epoch}/{sketch}";
  private static final int USUAL_PAGE = 100;
  private static final int LARGEST_PAGE = 1000;
  private static final int MANY = 10_000;
  private static final String IMMUTABLE = "max-age=31536000, immutable";

  private static final List<Format> FORMATS =
      List.of(
          new Format("json", Reply.JSON),
          new Format("avro", "application/avro"),
          new Format("npz", "application/x-npz"));
  private static final List<Format> TEXTS =
      List.of(new Format("json", Reply.JSON), new Format("text", Reply.TEXT));

  private static final Columns<ReleaseTopic.Damage> DAMAGES =
      Columns.<ReleaseTopic.Damage>create()
          .field("partition", ReleaseTopic.Damage::partition)
          .field("offset", ReleaseTopic.Damage::offset)
          .field("reason", ReleaseTopic.Damage::reason);

  private final ReleaseLibrary library;
  private final FitExecutor reads;
  private volatile Reply lastList = Reply.notModified(); // most ask for the same page

  ReleaseResources(ReleaseLibrary library, FitExecutor reads) {
    this.library = library;
    this.reads = reads;
  }

  List<Resource> all() {
    List<String> filters = List.of("stream", "group", "sketch", "from", "to", "limit", "after");
    return List.of(
        new Resource("/v1/releases", Resource.GET, filters, Resource.now(this::list)),
        read(ONE, this::one),
        new Resource(
            ONE + "/guarantee", Resource.GET, List.of("format"), Resource.now(this::guarantee)),
        read(ONE + "/header", this::header));
  }

  private Resource read(String pattern, Resource.Reader reader) {
    return new Resource(pattern, Resource.GET, List.of("format"), Resource.later(reads, reader));
  }

  private Reply list(Call call) throws Problem {
    ReleaseLibrary.State state = library.state();
    Query query = call.query();
    checkEpochs(query);
    int limit = query.whole("limit", 1, LARGEST_PAGE, USUAL_PAGE);
    int first = 0;
    Optional<String> after = query.text("after");
    if (after.isPresent()) {
      Entry last = find(state, after.get());
      first = state.entries().indexOf(last) + 1;
    }
    String tag =
        '"' + ReleaseHash.of((state.tag() + query.raw()).getBytes(StandardCharsets.UTF_8)) + '"';
    if (call.has(tag)) {
      return Reply.notModified().with("ETag", tag).with("Cache-Control", "no-cache");
    }
    Reply last = lastList;
    if (tag.equals(last.headers().get("ETag"))) {
      return last;
    }
    List<Entry> page = new ArrayList<>();
    boolean more = false;
    for (Entry entry : state.entries().subList(first, state.entries().size())) {
      if (matches(entry, query)) {
        more = page.size() == limit;
        if (more) {
          break;
        }
        page.add(entry);
      }
    }
    Reply list =
        Reply.json(listed(page, more, state.damages()))
            .with("ETag", tag)
            .with("Cache-Control", "no-cache");
    lastList = list;
    return list;
  }

  private static Map<String, Object> listed(
      List<Entry> page, boolean more, List<ReleaseTopic.Damage> damages) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("releases", page.stream().map(ReleaseResources::summary).toList());
    if (more) {
      all.put("next", page.get(page.size() - 1).id().toString());
    }
    all.put("damaged", DAMAGES.objects(damages));
    return all;
  }

  /** Returns an entry of the list, as {@code gauze releases} prints it, and its hash. */
  static Map<String, Object> summary(Entry entry) {
    Map<String, Object> summary = new LinkedHashMap<>(ReleaseReport.LIST.object(entry.listed()));
    summary.put("sha256", entry.sha256());
    return summary;
  }

  private static boolean matches(Entry entry, Query query) {
    String epoch = entry.id().epoch();
    return is(query.text("stream"), entry.id().stream())
        && is(query.text("group"), entry.id().group())
        && is(query.text("sketch"), entry.id().sketch())
        && query.text("from").filter(from -> before(epoch, from)).isEmpty()
        && query.text("to").filter(to -> before(to, epoch)).isEmpty();
  }

  /**
   * Checks the first and the last epoch that are asked for.
   *
   * @throws Problem if one is no epoch: it would be before all times
   */
  static void checkEpochs(Query query) throws Problem {
    for (String end : List.of("from", "to")) {
      String epoch = query.text(end, ReleaseId.ALL);
      if (!ReleaseRange.isEpoch(epoch)) {
        throw Problem.bad(
            end
                + " must be an epoch, a time such as 2026-01-01T00:00:00Z, or all. Provided value: "
                + Query.shown(epoch));
      }
    }
  }

  private static boolean is(Optional<String> wanted, String value) {
    return wanted.isEmpty() || wanted.get().equals(value);
  }

  private static boolean before(String one, String other) {
    return ReleaseRange.BY_EPOCH.compare(one, other) < 0;
  }

  private static Entry find(ReleaseLibrary.State state, String id) throws Problem {
    Optional<Entry> entry = state.entries().find(id);
    if (entry.isPresent()) {
      return entry.get();
    }
    throw Problem.of(
        new RequestException(
            ErrorCode.UNKNOWN_RELEASE,
            "there is no release " + Query.shown(id) + instead(state.entries(), id)));
  }

  private static String instead(ReleaseList known, String id) {
    if (known.isEmpty()) {
      return "; there is no release yet";
    }
    return known.size() <= MANY
        ? "; the nearest is "
            + NearestName.of(
                Query.shown(id), known.stream().map(each -> each.id().toString()).toList())
        : "";
  }

  private static Entry known(ReleaseLibrary library, String id) throws Problem {
    ReleaseLibrary.State state = library.state();
    Entry entry = find(state, id);
    for (ReleaseTopic.Damage damage : state.damages()) {
      if (damage.contested().filter(entry.id()::equals).isPresent()) {
        throw Problem.of(
            new RequestException(
                ErrorCode.CONTESTED_RELEASE,
                "there are two different bodies of release "
                    + entry.id()
                    + ", which must never happen, so neither is given; ask the stream's owner to"
                    + " find out who wrote them"));
      }
    }
    return entry;
  }

  private Entry known(Call call) throws Problem {
    return known(library, String.join("/", call.path()));
  }

  /**
   * Returns a release.
   *
   * @throws Problem if there is none of this id, or two
   * @throws IOException if it cannot be read
   */
  static Release body(ReleaseLibrary library, String id) throws Problem, IOException {
    return body(library, known(library, id));
  }

  private static Release body(ReleaseLibrary library, Entry entry) throws Problem, IOException {
    return library
        .release(entry)
        .orElseThrow(
            () ->
                Problem.of(
                    new RequestException(
                        ErrorCode.UNKNOWN_RELEASE,
                        "release " + entry.id() + " is no longer there")));
  }

  private Reply one(Call call) throws Problem, IOException {
    Format format = call.format(FORMATS);
    Entry entry = known(call);
    String suffix = format.name().equals("avro") ? "" : "-" + format.name();
    String tag = '"' + entry.sha256() + suffix + '"';
    if (call.has(tag)) {
      return fixed(Reply.notModified(), tag);
    }
    Release release = body(library, entry);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ReleaseFile.write(release, format.name(), out);
    return fixed(Reply.of(200, format.type(), out.toByteArray()), tag);
  }

  /** Answers all of a release but its numbers, as {@code gauze releases --id} prints it. */
  private Reply header(Call call) throws Problem, IOException {
    Format format = call.format(TEXTS);
    Entry entry = known(call);
    String tag = '"' + entry.sha256() + "-header-" + format.name() + '"';
    if (call.has(tag)) {
      return fixed(Reply.notModified(), tag);
    }
    Report report = ReleaseReport.header(body(library, entry), entry.listed().bytes());
    return fixed(
        format.name().equals("text")
            ? Reply.text(Reply.TEXT, report.table())
            : Reply.text(Reply.JSON, report.json()),
        tag);
  }

  private static Reply fixed(Reply reply, String tag) {
    return reply.with("ETag", tag).with("Cache-Control", IMMUTABLE).with("Vary", "Accept");
  }

  private Reply guarantee(Call call) throws Problem {
    Format format = call.format(TEXTS);
    Entry entry = known(call);
    String tag = '"' + entry.sha256() + "-guarantee-" + format.name() + '"';
    if (call.has(tag)) {
      return fixed(Reply.notModified(), tag);
    }
    if (format.name().equals("text")) {
      return fixed(Reply.text(Reply.TEXT, entry.listed().guarantee().sentence() + "\n"), tag);
    }
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.put("release", entry.id().toString());
    all.setAll(GuaranteeJson.write(entry.listed().guarantee()));
    all.put("sentence", entry.listed().guarantee().sentence());
    return fixed(Reply.json(all), tag);
  }
}
