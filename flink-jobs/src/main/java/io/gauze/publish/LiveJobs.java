package io.gauze.publish;

import io.gauze.message.Message;
import io.gauze.stream.JobMessage;
import io.gauze.stream.SketchJobSettings;
import io.gauze.topic.KafkaAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * Finds the sketch jobs of a stream that run now, on whatever cluster: each is a member of a
 * consumer group named after the stream while it runs ({@link StreamLease}).
 */
public final class LiveJobs {
  /** How long a member stays in the group after its process was killed. */
  static final Duration SESSION = Duration.ofSeconds(10);

  /** After this time, a job that is still in the group belongs to a live process. */
  public static final Duration UNTIL_DEAD_ARE_GONE = SESSION.plusSeconds(5);

  private static final Pattern CLIENT =
      Pattern.compile("gauze-job_(.*?)_(\\d{1,10})_([0-9a-f]{32})_(\\d{1,12})_.*");

  private LiveJobs() {}

  /**
   * A running job.
   *
   * @param client its client id in the group
   * @param address its address, as the broker sees it
   */
  public record Job(String client, String address) {
    /**
     * Returns the client id of a job whose publishing task runs in this process.
     *
     * @param since the time of the job's submission
     */
    static String client(String stream, String flinkId, Instant since) {
      return String.format(
          Locale.ROOT,
          "gauze-job_%s_%d_%s_%d_%s",
          host(),
          ProcessHandle.current().pid(),
          flinkId,
          since.getEpochSecond(),
          stream);
    }

    private static String host() {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "unknown"; // the broker knows the address
      }
    }

    private static Job of(MemberDescription member) {
      return new Job(member.clientId(), member.host().replaceFirst("^/", ""));
    }

    /**
     * Returns whether {@code other} is the client id of another job that was submitted after this
     * one.
     */
    boolean isBefore(String other) {
      Matcher mine = CLIENT.matcher(client);
      Matcher theirs = CLIENT.matcher(other);
      if (!mine.matches() || !theirs.matches() || mine.group(3).equals(theirs.group(3))) {
        return false;
      }
      int byTime = Long.compare(Long.parseLong(mine.group(4)), Long.parseLong(theirs.group(4)));
      return byTime == 0 ? mine.group(3).compareTo(theirs.group(3)) < 0 : byTime < 0;
    }

    /** Returns whether the job's publishing task runs in a process of this machine. */
    public boolean isOf(long process) {
      Matcher parts = CLIENT.matcher(client);
      return parts.matches()
          && parts.group(1).equals(host())
          && parts.group(2).equals(Long.toString(process));
    }

    /** Describes where the job runs, its Flink id, and when it was submitted. */
    @Override
    public String toString() {
      Matcher parts = CLIENT.matcher(client);
      return parts.matches()
          ? String.format(
              Locale.ROOT,
              "host %s (%s), process %s, Flink's job %s, submitted at %s",
              parts.group(1),
              address,
              parts.group(2),
              parts.group(3),
              Instant.ofEpochSecond(Long.parseLong(parts.group(4))))
          : "client " + client + " at " + address;
    }
  }

  /** The name of the stream's consumer group, which is also its transactional id. */
  static String group(String stream) {
    return "gauze-releases-" + stream;
  }

  /** Returns the message for a user who starts another job of the stream. */
  static Message described(String stream, List<Job> jobs) {
    return described(JobMessage.SECONDJOB, stream, jobs);
  }

  /**
   * Returns the message for a user who starts another job of the stream.
   *
   * @param entry which says how to end the job that runs
   */
  public static Message described(JobMessage entry, String stream, List<Job> jobs) {
    return entry.of(stream).with(String.join("; ", jobs.stream().map(Job::toString).toList()));
  }

  /**
   * Finds the running jobs of a stream.
   *
   * @param patience how long the broker may take
   * @throws NotAllowedException if the user may not describe the group
   * @throws IOException if the broker does not answer
   */
  public static List<Job> find(KafkaAccess kafka, String stream, Duration patience)
      throws IOException {
    try (Admin admin = kafka.admin(Optional.of(patience))) {
      return find(admin, stream);
    } catch (KafkaException e) {
      throw failed(stream, e);
    }
  }

  static List<Job> find(Admin admin, String stream) throws IOException {
    String group = group(stream);
    try {
      ConsumerGroupDescription found =
          admin.describeConsumerGroups(List.of(group)).describedGroups().get(group).get();
      return found.members().stream()
          .map(Job::of)
          .filter(job -> CLIENT.matcher(job.client()).matches()) // others may take any group's name
          .toList();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupIdNotFoundException) {
        return List.of();
      }
      if (e.getCause() instanceof AuthorizationException) {
        throw new NotAllowedException(stream, e.getCause());
      }
      throw failed(stream, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while looking for other jobs of stream " + stream, e);
    }
  }

  /**
   * Returns a warning if a job of the stream runs, or if the right to know is missing.
   *
   * @throws IOException if the broker does not answer
   */
  public static Optional<Message> warning(SketchJobSettings settings, Duration patience)
      throws IOException {
    String stream = settings.plan().stream();
    try {
      List<Job> jobs = find(settings.kafka(), stream, patience);
      return jobs.isEmpty() ? Optional.empty() : Optional.of(described(stream, jobs));
    } catch (NotAllowedException e) {
      return Optional.of(e.said());
    }
  }

  private static IOException failed(String stream, Throwable e) {
    return new IOException(
        "could not look for other jobs of stream "
            + stream
            + " (consumer group "
            + group(stream)
            + "): "
            + e.getMessage(),
        e);
  }

  /** Thrown if the right to read the group is missing, so that its members are not known. */
  public static final class NotAllowedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Message said;

    private NotAllowedException(String stream, Throwable cause) {
      super(JobMessage.UNKNOWNJOB.of(group(stream)).line(), cause);
      this.said = JobMessage.UNKNOWNJOB.of(group(stream));
    }

    /** Returns what to know. */
    public Message said() {
      return said;
    }
  }
}
