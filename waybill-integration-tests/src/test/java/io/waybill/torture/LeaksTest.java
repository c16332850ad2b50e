package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waybill.torture.Leaks.Holdings;
import io.waybill.torture.Leaks.Sample;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LeaksTest {
  private static final Holdings FIRST =
      new Holdings(Map.of("a", new Sample(20, 50, 20_000), "b", new Sample(21, 52, 18_000)), 9, 6);

  @Test
  void whatStaysTheSameIsNoLeak() {
    assertThat(Leaks.between(FIRST, FIRST)).isEmpty();
    assertThat(Leaks.between(FIRST, new Holdings(Map.of("a", new Sample(24, 60, 30_000)), 9, 6)))
        .isEmpty();
  }

  @Test
  void moreThreadsFilesHeapOrConnectionsAreLeaks() {
    Holdings last = new Holdings(Map.of("b", new Sample(40, 90, 90_000)), 14, 20);

    assertThat(Leaks.between(FIRST, last))
        .containsExactly(
            "leak: b hold 40 threads, 21 in the beginning",
            "leak: b hold 90 files, 52 in the beginning",
            "leak: b hold 90000 KiB of heap, 20000 in the beginning",
            "leak: relays hold 14 connections to the database, 9 in the beginning",
            "leak: relays hold 20 connections to the broker, 6 in the beginning");
  }

  @Test
  void aProcessIsMeasured() {
    Sample sample = Leaks.sample(ProcessHandle.current().pid());

    assertThat(sample.threads()).isPositive();
    assertThat(sample.files()).isPositive();
    assertThat(sample.heapKb()).isPositive();
  }

  @Test
  void theHeapIsThatOfBothGenerations() {
    String info =
        """
        4711:
         def new generation   total 39296K, used 1500K [0x1, 0x2, 0x3)
          eden space 34944K,   4% used [0x1, 0x2, 0x3)
          from space 4352K,   0% used [0x1, 0x2, 0x3)
         tenured generation   total 87424K, used 12000K [0x1, 0x2, 0x3)
           the space 87424K,  13% used [0x1, 0x2, 0x3, 0x4)
         Metaspace       used 24000K, committed 24300K, reserved 1114112K
        """;

    assertThat(Leaks.heapOf(info)).isEqualTo(13_500);
  }

  @Test
  void aHeapThatCannotBeReadIsNoEmptyOne() {
    assertThatIllegalStateException().isThrownBy(() -> Leaks.heapOf("4711:\nheap 3 MB"));
  }
}
