package io.gauze.pipeline;

import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a class writes into the log while this is open. */
final class LogLines extends AbstractAppender implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines;

  private LogLines(Logger logger, List<String> lines) {
    super("lines", null, null, true, Property.EMPTY_ARRAY);
    this.logger = logger;
    this.lines = lines;
  }

  /** Adds the texts of all errors to {@code lines}. */
  static LogLines of(Class<?> writer, List<String> lines) {
    LogLines log = new LogLines((Logger) LogManager.getLogger(writer), lines);
    log.start();
    log.logger.addAppender(log);
    return log;
  }

  @Override
  public void append(LogEvent event) {
    if (event.getLevel().isMoreSpecificThan(Level.ERROR)) {
      lines.add(event.getMessage().getFormattedMessage());
    }
  }

  @Override
  public void close() {
    logger.removeAppender(this);
    stop();
  }
}
