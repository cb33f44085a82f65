package io.gauze.mechanism;

/**
 * Registers a mechanism. {@link java.util.ServiceLoader} finds the implementations: a new mechanism
 * is a new file, and a line in {@code META-INF/services}, whose order is that of lists, but that
 * those of papers come last.
 */
public interface MechanismProvider {
  /** What a release of a mechanism holds. */
  enum Family {
    /** A sketch, which answers many questions. */
    SKETCH,
    /** One fitted model. */
    MODEL,
    /** The ranges of columns. */
    RANGES
  }

  /** Everything that is known of the mechanism. */
  MechanismKind kind();

  /** What its releases hold. */
  default Family family() {
    return Family.SKETCH;
  }

  /**
   * Whether people should take it, as {@code docs/choose.md} says. Others, special ones and those
   * of papers, are shown only where all are asked for.
   */
  default boolean isRecommended() {
    return false;
  }

  /** Registers a mechanism whose releases hold one fitted model. */
  interface OfModel extends MechanismProvider {
    @Override
    default Family family() {
      return Family.MODEL;
    }
  }
}
