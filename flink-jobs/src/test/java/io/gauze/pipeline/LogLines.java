package io.gauze.pipeline;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** The errors that a class writes into the log while this is open. */
final class LogLines implements AutoCloseable {
  private final Logger logger;
  private final Keeper keeper = new Keeper();

  /** What log4j asks for. */
  private static final class Keeper extends AbstractAppender {
    private final transient List<String> lines = new CopyOnWriteArrayList<>();

    Keeper() {
      super("lines", null, null, true, Property.EMPTY_ARRAY);
    }

    @Override
    public void append(LogEvent event) {
      if (event.getLevel().isMoreSpecificThan(Level.ERROR)) {
        lines.add(event.getMessage().getFormattedMessage());
      }
    }
  }

  LogLines(Class<?> writer) {
    logger = (Logger) LogManager.getLogger(writer);
    keeper.start();
    logger.addAppender(keeper);
  }

  List<String> lines() {
    return List.copyOf(keeper.lines);
  }

  @Override
  public void close() {
    logger.removeAppender(keeper);
    keeper.stop();
  }
}
