package io.gauze.regression;

import io.gauze.payload.Payload;
import io.gauze.release.Release;
import java.util.HashMap;
import java.util.Map;
import java.util.ServiceLoader;

/** Finds the fits of a payload. */
public final class PayloadRegistry {
  private static final Map<Class<?>, PayloadFits<?>> FITS = load();

  private PayloadRegistry() {}

  private static Map<Class<?>, PayloadFits<?>> load() {
    ClassLoader own = PayloadFits.class.getClassLoader(); // Flink loads jobs by another one
    Map<Class<?>, PayloadFits<?>> found = new HashMap<>();
    for (PayloadFits<?> fits : ServiceLoader.load(PayloadFits.class, own)) {
      found.put(fits.payload(), fits);
    }
    return Map.copyOf(found);
  }

  /**
   * Returns the input for the rows of a release.
   *
   * @throws IllegalArgumentException if the numbers cannot be those of such a release
   */
  static FitInput input(Release release) {
    return input(release.payload(), new ReleasedNumbers(release));
  }

  private static <P extends Payload> FitInput input(P payload, ReleasedNumbers numbers) {
    return fits(payload).input(payload, numbers);
  }

  /** Returns what fits of releases of a payload will be. */
  public static <P extends Payload> Prospect prospect(P payload, AssumedDataModel model) {
    return fits(payload).prospect(payload, model);
  }

  @SuppressWarnings("unchecked") // each is found under its own class
  private static <P extends Payload> PayloadFits<P> fits(P payload) {
    PayloadFits<?> fits = FITS.get(payload.getClass());
    if (fits == null) {
      throw new IllegalArgumentException("no fits of " + payload.kind() + " are known");
    }
    return (PayloadFits<P>) fits;
  }
}
