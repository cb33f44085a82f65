package io.gauze.stream;

import io.gauze.accounting.Guarantee;
import io.gauze.ledger.ChargedRelease;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the keys of a config that differ from those of an earlier release of its stream, as far as
 * the ledger shows them: it holds the guarantee and the id of the release, which are public, and of
 * all other keys only a hash.
 */
final class ChangedKeys {
  private final List<String> keys = new ArrayList<>();

  private ChangedKeys() {}

  /**
   * Returns the rest of a sentence about the earlier release; empty if the ledger shows nothing.
   */
  static String of(ChargedRelease entry, SketchJobSettings settings) {
    // The releases of the two jobs of a stream with estimated ranges have guarantees and names of
    // their own.
    if (settings.spec().ranges() instanceof RangePhase.Estimated) {
      return "";
    }
    Guarantee held = entry.guarantee();
    Guarantee now = settings.plan().guarantee(settings.randomness());
    ChangedKeys changed = new ChangedKeys();
    changed.compare("privacy.epsilon", held.epsilon(), now.epsilon());
    changed.compare("privacy.delta", held.delta(), now.delta());
    changed.compare("privacy.neighbours", held.neighbours().label(), now.neighbours().label());
    changed.compare("privacy.unit", held.unit().label(), now.unit().label());
    String sketch = entry.id().sketch();
    if (settings.plan().sketches().stream().noneMatch(each -> each.name().equals(sketch))) {
      changed.keys.add("sketches or models (none is called " + sketch + " now)");
    }
    if (settings.schedule().epochOf(entry.id().epoch()).isEmpty()) {
      changed.keys.add("epochs (none begins at " + entry.id().epoch() + " now)");
    }
    return changed.keys.isEmpty()
        ? ""
        : "; of the keys that the ledger shows, these differ: " + String.join(", ", changed.keys);
  }

  private void compare(String key, Object held, Object now) {
    if (!held.equals(now)) {
      keys.add(key + " (" + held + ", now " + now + ")");
    }
  }
}
