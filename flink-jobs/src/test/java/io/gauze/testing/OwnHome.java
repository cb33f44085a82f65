package io.gauze.testing;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A test with a folder of its own, which is the user's home meanwhile: a run notes there where it
 * is.
 */
public abstract class OwnHome {
  /** Empty when a test begins, and gone when it has ended. */
  @TempDir protected Path folder;

  private final String usual = System.getProperty("user.home");

  @BeforeEach
  protected final void ownHome() {
    System.setProperty("user.home", folder.toString());
  }

  @AfterEach
  protected final void usualHome() {
    System.setProperty("user.home", usual);
  }

  /** Where runs are noted, a file {@code *.rest} each; there is no such folder before the first. */
  protected final Path running() {
    return folder.resolve(".gauze").resolve("running");
  }
}
