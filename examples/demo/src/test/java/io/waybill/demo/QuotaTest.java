package io.waybill.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuotaTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void isOverWhenAllTicketsAreCommitted() {
    Quota quota = new Quota(5, 10, 0);
    assertThat(quota.take(4)).isEqualTo(4);
    assertThat(quota.take(4)).isEqualTo(1);
    assertThat(quota.take(4)).isZero();
    quota.commit(4);
    assertThat(quota.over()).isFalse();
    quota.release(1);
    assertThat(quota.over()).isFalse();
    assertThat(quota.take(4)).isEqualTo(1);
    quota.commit(1);
    assertThat(quota.over()).isTrue();
    assertThat(quota.progress()).isEqualTo(new ShopProgress(5, 0));
  }

  @Test
  void stopEndsItOnceOpenTicketsAreBack() {
    Quota quota = new Quota(5, 10, 0);
    quota.take(2);
    quota.stop();
    assertThat(quota.take(1)).isZero();
    assertThat(quota.over()).isFalse();
    quota.rolledBack(2);
    quota.release(2);
    assertThat(quota.over()).isTrue();
    assertThat(quota.progress()).isEqualTo(new ShopProgress(0, 2));
  }

  @Test
  void keepsTheRate() {
    Quota quota = new Quota(100, 10, 0);

    assertThat(quota.reserve(5, 0)).isZero();
    assertThat(quota.reserve(5, 0)).isEqualTo(SECOND / 2);
    assertThat(quota.reserve(5, 0)).isEqualTo(SECOND);
  }

  @Test
  void catchesUpWithOneSecondAtMost() {
    Quota quota = new Quota(100, 10, 0);

    assertThat(quota.reserve(1, 10 * SECOND)).isEqualTo(9 * SECOND);
  }
}
