package io.gauze.http.resource;

import io.gauze.http.protocol.Call;
import io.gauze.http.protocol.Problem;
import io.gauze.http.protocol.Query;
import io.gauze.http.protocol.Replies;
import io.gauze.http.protocol.Reply;
import io.gauze.message.NearestName;
import java.util.List;
import java.util.Optional;

/** The console: a page for people, and its files. They hold no data, so they ask for no token. */
final class ConsoleResources {
  static final String PAGE = "/";
  static final String FILE = "/console/{version}/{file}";
  private static final String IMMUTABLE = "public, max-age=31536000, immutable";

  private final ConsoleFiles files = new ConsoleFiles();

  List<Resource> all() {
    return List.of(
        new Resource(PAGE, Resource.GET, List.of(), Resource.now(this::page)),
        new Resource(FILE, Resource.GET, List.of(), Resource.now(this::file)));
  }

  private Reply page(Call call) {
    String tag = '"' + files.hash() + '"';
    Reply reply =
        call.has(tag)
            ? Reply.notModified()
            : Reply.of(200, "text/html; charset=utf-8", files.page());
    return reply
        .with("ETag", tag)
        .with("Cache-Control", "no-cache")
        .with(Replies.POLICY, files.policy())
        .with("Referrer-Policy", "no-referrer");
  }

  private Reply file(Call call) throws Problem {
    String name = call.path().get(1);
    Optional<byte[]> file = files.file(name);
    if (file.isEmpty() || !call.path().get(0).equals(files.hash())) {
      String shown = Query.shown(name);
      throw new Problem(
          404,
          "not-found",
          "the console of this version has no file "
              + shown
              + " here; the nearest is "
              + NearestName.of(shown, files.names())
              + ", and / names its folder");
    }
    String tag = '"' + files.hash() + '-' + name + '"';
    Reply reply =
        call.has(tag) ? Reply.notModified() : Reply.of(200, ConsoleFiles.type(name), file.get());
    return reply.with("ETag", tag).with("Cache-Control", IMMUTABLE);
  }
}
