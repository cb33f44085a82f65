package io.gauze.release;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

final class ReadingRoomTest {
  private static final long HEAP = Runtime.getRuntime().maxMemory();

  @Test
  void whatIsLargerThanTheHeapIsRefusedBeforeItIsReserved() {
    for (long numbers : new long[] {HEAP / 150, HEAP / 8, Long.MAX_VALUE / 80}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ReadingRoom.checkNumbers(numbers))
          .withMessageContaining("which this process has memory for. Provided value: " + numbers);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReadingRoom.checkBytes(HEAP / 3))
        .withMessageEndingWith("give Java more memory with -Xmx");
    assertThatCode(() -> ReadingRoom.checkNumbers(HEAP / 200)).doesNotThrowAnyException();
    assertThatCode(() -> ReadingRoom.checkBytes(HEAP / 5)).doesNotThrowAnyException();
  }
}
