package io.gauze.audit;

import io.gauze.message.NearestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/**
 * The audits of all mechanisms on the class path, as registered for {@link ServiceLoader}: those of
 * papers last.
 */
public final class Audits {
  private static final List<MechanismAudit> ALL =
      ServiceLoader.load(MechanismAudit.class, Audits.class.getClassLoader()).stream()
          .map(ServiceLoader.Provider::get)
          .sorted(Comparator.comparing(Audits::isOfPaper)) // whatever the order of the class path
          .toList();

  private Audits() {}

  private static boolean isOfPaper(MechanismAudit audit) {
    return audit.getClass().getPackageName().endsWith(".papers");
  }

  /** The names of the audited mechanisms. */
  public static List<String> mechanisms() {
    return ALL.stream().map(MechanismAudit::mechanism).toList();
  }

  /** Returns all cases of all mechanisms. Calibrates them, which takes a second. */
  public static List<AuditCase> all() {
    List<AuditCase> cases = new ArrayList<>();
    ALL.forEach(audit -> cases.addAll(audit.cases()));
    return cases;
  }

  /**
   * Returns the cases of one mechanism: as shipped, then broken.
   *
   * @throws IllegalArgumentException if there is no such mechanism; the message names the nearest
   */
  public static List<AuditCase> of(String mechanism) {
    for (MechanismAudit audit : ALL) {
      if (audit.mechanism().equals(mechanism)) {
        return audit.cases();
      }
    }
    throw NearestName.unknown("mechanism", mechanism, mechanisms());
  }
}
