package io.gauze.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The last answers; the least recently used one goes first. Thread-safe. */
final class KeptReplies {
  private final long most;
  private final Map<String, Reply> replies = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;

  /**
   * Creates an empty cache.
   *
   * @param most the most bytes of all answers
   */
  KeptReplies(long most) {
    this.most = most;
  }

  synchronized Optional<Reply> get(String key) {
    return Optional.ofNullable(replies.get(key));
  }

  synchronized void put(String key, Reply reply) {
    remove(key);
    replies.put(key, reply);
    bytes += size(key, reply);
    while (bytes > most) {
      remove(replies.keySet().iterator().next());
    }
  }

  private void remove(String key) {
    Reply old = replies.remove(key);
    bytes -= old == null ? 0 : size(key, old);
  }

  private static long size(String key, Reply reply) {
    return 500L + 2L * key.length() + 2L * reply.body().length; // and the compressed body
  }
}
