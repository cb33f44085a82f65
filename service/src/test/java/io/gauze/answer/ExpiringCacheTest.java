package io.gauze.answer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ExpiringCacheTest {
  private final ExpiringCache<String, Integer> cache =
      new ExpiringCache<>(10, Duration.ofMillis(100));

  @Test
  void forgetsWhatWasUsedLongestAgo() {
    cache.put("a", 1, 4, 0);
    cache.put("b", 2, 4, 0);
    assertThat(cache.get("a", 0)).hasValue(1);
    cache.put("c", 3, 4, 0);
    assertThat(cache.get("b", 0)).isEmpty();
    assertThat(cache.get("a", 0)).hasValue(1);
    assertThat(cache.get("c", 0)).hasValue(3);
  }

  @Test
  void replacingDoesNotCountTwice() {
    cache.put("a", 1, 6, 0);
    cache.put("a", 2, 6, 0);
    cache.put("b", 3, 4, 0);
    assertThat(cache.get("a", 0)).hasValue(2);
    assertThat(cache.size()).isEqualTo(2);
  }

  @Test
  void keepsASingleHeavyValue() {
    cache.put("a", 1, 1, 0);
    cache.put("b", 2, 100, 0);
    assertThat(cache.get("b", 0)).hasValue(2);
    assertThat(cache.size()).isEqualTo(1);
    cache.put("c", 3, 1, 0);
    assertThat(cache.get("c", 0)).hasValue(3);
    assertThat(cache.size()).isEqualTo(1);
  }

  @Test
  void forgetsWhatWasNotUsedForAWhile() {
    cache.put("a", 1, 1, 0);
    cache.put("b", 2, 1, 10);
    cache.get("a", 50);
    cache.expire(110);
    assertThat(cache.get("b", 110)).isEmpty();
    cache.expire(149);
    assertThat(cache.size()).isEqualTo(1);
    cache.expire(150);
    assertThat(cache.size()).isZero();
  }
}
