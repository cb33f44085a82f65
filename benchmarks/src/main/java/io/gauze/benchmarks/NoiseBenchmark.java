package io.gauze.benchmarks;

import io.gauze.noise.Entropy;
import io.gauze.noise.Randomness;
import io.gauze.noise.RoundedGaussian;
import io.gauze.noise.RoundedLaplace;
import io.gauze.noise.StandardNormal;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Samples of noise a second from system entropy, the cipher included. */
@State(Scope.Thread)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class NoiseBenchmark {
  private final Entropy entropy = Randomness.SYSTEM.entropy("benchmark");
  private final RoundedGaussian gaussian = RoundedGaussian.of(0x1.8p31);
  private final RoundedLaplace laplace = RoundedLaplace.of(0x1.8p31);

  /** The words alone. */
  @Benchmark
  public long words() {
    return entropy.nextLong();
  }

  /** Gaussian noise in whole steps. */
  @Benchmark
  public long roundedGaussian() {
    return gaussian.sample(entropy);
  }

  /** Laplace noise in whole steps. */
  @Benchmark
  public long roundedLaplace() {
    return laplace.sample(entropy);
  }

  /** N(0, 1) in doubles. */
  @Benchmark
  public double standardNormal() {
    return StandardNormal.sample(entropy);
  }
}
