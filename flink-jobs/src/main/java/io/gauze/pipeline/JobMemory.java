package io.gauze.pipeline;

import io.gauze.stream.FitRoom;
import java.util.HashMap;
import java.util.Map;

/**
 * The room for the rows of models of one job in this process, which all of its streams share.
 * Thread-safe.
 */
public final class JobMemory implements AutoCloseable {
  private static final Map<String, JobMemory> OPEN = new HashMap<>(); // guarded by the class

  private final String job;
  private final FitRoom room;
  private int users;

  private JobMemory(String job, FitRoom room) {
    this.job = job;
    this.room = room;
  }

  /**
   * Returns the room of a job, once for each user of it, who closes it.
   *
   * @param job its id
   * @param limit in bytes, the same for all users
   */
  public static JobMemory open(String job, long limit) {
    synchronized (JobMemory.class) {
      JobMemory memory = OPEN.computeIfAbsent(job, id -> new JobMemory(id, new FitRoom(limit)));
      memory.users++;
      return memory;
    }
  }

  public FitRoom room() {
    return room;
  }

  /** Ends one use. Called by the last thread that has rows of it. */
  @Override
  public void close() {
    synchronized (JobMemory.class) {
      users--;
      if (users == 0) {
        OPEN.remove(job);
      }
    }
  }
}
