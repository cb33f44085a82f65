package io.gauze.mechanism;

import io.gauze.accounting.GaussianDp;
import io.gauze.message.NearestName;
import io.gauze.sketch.EmptySketchSpec;
import io.gauze.sketch.SketchSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The list of all mechanisms: those that a {@link MechanismProvider} on the class path registers,
 * those of papers last.
 */
public final class Mechanisms {
  private static final List<MechanismProvider> PROVIDERS = load();

  private Mechanisms() {}

  private static List<MechanismProvider> load() {
    ClassLoader own = MechanismProvider.class.getClassLoader(); // Flink loads jobs by another one
    List<MechanismProvider> found = new ArrayList<>();
    ServiceLoader.load(MechanismProvider.class, own).forEach(found::add);
    // Whatever the order of the class path.
    found.sort(Comparator.comparing(Mechanisms::isOfPaper));
    return List.copyOf(found);
  }

  private static boolean isOfPaper(MechanismProvider provider) {
    return provider.getClass().getPackageName().endsWith(".papers");
  }

  private static Stream<MechanismKind> kinds(MechanismProvider.Family family) {
    return PROVIDERS.stream()
        .filter(provider -> provider.family() == family)
        .map(MechanismProvider::kind);
  }

  /** The names of all mechanisms, sketches first. */
  public static List<String> names() {
    return Stream.concat(sketches().stream(), models().stream()).toList();
  }

  /** The names of the mechanisms whose releases are sketches, which answer many questions. */
  public static List<String> sketches() {
    return kinds(MechanismProvider.Family.SKETCH).map(MechanismKind::name).toList();
  }

  /** The names of the mechanisms whose releases hold one fitted model. */
  public static List<String> models() {
    return kinds(MechanismProvider.Family.MODEL).map(MechanismKind::name).toList();
  }

  /** The names of the mechanisms that are here to be compared with: those of papers. */
  public static List<String> ofPapers() {
    return PROVIDERS.stream()
        .filter(Mechanisms::isOfPaper)
        .map(provider -> provider.kind().name())
        .toList();
  }

  /** The names of the mechanisms that people should take, sketches first. */
  public static List<String> recommended() {
    List<String> recommended =
        PROVIDERS.stream()
            .filter(MechanismProvider::isRecommended)
            .map(provider -> provider.kind().name())
            .toList();
    return names().stream().filter(recommended::contains).toList();
  }

  /**
   * Returns the options that a config may set for sketches of a mechanism, beside name, mechanism
   * and weight.
   *
   * @throws IllegalArgumentException if there is no such mechanism; the message names the nearest
   */
  public static List<MechanismOption> options(String mechanism) {
    return kind(mechanism).options();
  }

  /**
   * Checks that a sketch can have the requested sizes.
   *
   * @throws IllegalArgumentException if it cannot; if an option causes this, the message begins
   *     with its name
   */
  public static void checkSizes(StreamRequest stream, SketchRequest sketch) {
    double mu = GaussianDp.mu(stream.budget().epsilon(), stream.budget().delta());
    sized(stream, sketch, mu);
  }

  /**
   * Returns the mechanism of a sketch with its sizes.
   *
   * @param mu its approximate share of the budget
   * @throws IllegalArgumentException if the sketch cannot have these sizes, or cannot have a second
   *     noise
   */
  public static UncalibratedMechanism sized(StreamRequest stream, SketchRequest sketch, double mu) {
    MechanismKind kind = kind(sketch.mechanism());
    if (stream.checkpointLeaks() > 0) {
      checkCheckpointLeaks(stream, kind, () -> kind.sizing().of(stream, sketch, mu).spec());
    }
    if (stream.releases().isCumulative() && !kind.isAdditive()) {
      throw new IllegalArgumentException(
          "cumulative releases must be of sums to which Gaussian noise is added, those of "
              + additiveNames()
              + ". Provided value: "
              + kind.name()
              + "; give this sketch a stream of its own, without cumulative");
    }
    return kind.sizing().of(stream, sketch, stream.muPerRelease(mu));
  }

  /** Whether the state of a sketch holds nothing: it is made from the rows of a sealed epoch. */
  public static boolean keepsNoSums(SketchSpec spec) {
    return spec instanceof EmptySketchSpec;
  }

  private static void checkCheckpointLeaks(
      StreamRequest stream, MechanismKind kind, Supplier<SketchSpec> spec) {
    if (!kind.isAdditive() && keepsNoSums(spec.get())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "checkpointLeaks must be 0 for %s, of which checkpoints hold no sums that a second"
                  + " noise could hide. Provided value: %d",
              kind.name(),
              stream.checkpointLeaks()));
    }
    if (!kind.isAdditive()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "checkpointLeaks must be 0 for %s, since a second noise is for sums that have"
                  + " Gaussian noise from the beginning: those of %s. Provided value: %d",
              kind.name(),
              additiveNames(),
              stream.checkpointLeaks()));
    }
    Optional<String> exact = stream.releases().exactSums();
    if (exact.isPresent()) {
      throw new IllegalArgumentException(
          "checkpointLeaks must be 0 "
              + exact.get()
              + ", whose sums have no noise until they are released. Provided value: "
              + stream.checkpointLeaks());
    }
  }

  private static String additiveNames() {
    return String.join(", ", additive());
  }

  /** The names of the mechanisms whose sums have independent Gaussian noise and nothing else. */
  public static List<String> additive() {
    return kinds(MechanismProvider.Family.SKETCH)
        .filter(MechanismKind::isAdditive)
        .map(MechanismKind::name)
        .toList();
  }

  /** All kinds, in the order of their registration. */
  public static Stream<MechanismKind> kinds() {
    return PROVIDERS.stream().map(MechanismProvider::kind);
  }

  public static MechanismKind kind(String name) {
    return kinds()
        .filter(kind -> kind.name().equals(name))
        .findFirst()
        .orElseThrow(() -> NearestName.unknown("mechanism", name, names()));
  }
}
