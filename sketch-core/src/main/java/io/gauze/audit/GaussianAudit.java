package io.gauze.audit;

import io.gauze.privacy.GaussianDp;
import io.gauze.privacy.RoundedGaussian;
import io.gauze.row.Neighbours;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** One number with Gaussian noise: the sum of entries of size at most B. */
final class GaussianAudit implements MechanismAudit {
  private static final long BOUND = 1L << 20;

  @Override
  public String mechanism() {
    return "gaussian";
  }

  @Override
  public List<AuditCase> cases() {
    List<AuditCase> cases = new ArrayList<>();
    for (Claim claim : Claims.approximate()) {
      cases.add(AuditCase.sound(mechanism(), claim, trials(claim, sigma(claim), 1)));
    }
    for (Neighbours neighbours : Neighbours.values()) {
      Claim claim = Claims.approximate(neighbours);
      cases.add(broken(Twin.LESS_NOISE, claim, trials(claim, sigma(claim) / Twin.LESS, 1)));
    }
    Claim replaced = Claims.approximate(Neighbours.REPLACE_ONE);
    Claim removed = Claims.approximate(Neighbours.ADD_REMOVE);
    cases.add(
        broken(Twin.WRONG_RELATION + " (half)", replaced, trials(replaced, sigma(removed), 1)));
    cases.add(broken("two noises over one sum", removed, trials(removed, sigma(removed), 2)));
    return cases;
  }

  private AuditCase broken(String variant, Claim claim, Supplier<Trial> trials) {
    return AuditCase.broken(mechanism(), variant, claim, trials);
  }

  private static double sigma(Claim claim) {
    double sensitivity = claim.neighbours() == Neighbours.ADD_REMOVE ? BOUND : 2.0 * BOUND;
    return GaussianDp.sigma(claim.epsilon(), claim.delta(), sensitivity);
  }

  /** The sum published so many times. */
  private static Supplier<Trial> trials(Claim claim, double sigma, int times) {
    long[] first = new long[times];
    long[] second = new long[times];
    for (int i = 0; i < times; i++) {
      first[i] = claim.neighbours() == Neighbours.ADD_REMOVE ? 0 : -BOUND;
      second[i] = BOUND;
    }
    RoundedGaussian noise = RoundedGaussian.of(sigma);
    return () -> AdditiveTrial.of(first, second, noise);
  }
}
