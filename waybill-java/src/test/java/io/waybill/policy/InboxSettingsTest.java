package io.waybill.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waybill.database.DatabaseKind;
import io.waybill.database.InboxOptions;
import io.waybill.handler.Registration;
import io.waybill.inbox.Inbox;
import io.waybill.jdbc.JdbcInboxStore;
import java.sql.SQLException;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class InboxSettingsTest {
  @Test
  void theLongestRetryIsTheSumOfTheLongestPauses() {
    InboxSettings settings =
        InboxSettings.ofDefaults()
            .retries(
                RetryPolicy.builder().constant(Duration.ofSeconds(1)).attemptLimit(3).build(),
                RetryPolicy.builder()
                    .exponential(Duration.ofSeconds(10), 2, Duration.ofSeconds(30))
                    .attemptLimit(4)
                    .build());

    assertThat(settings.longestRetry()).isEqualTo(Duration.ofSeconds(2 + 10 + 20 + 30));
  }

  @Test
  void retriesWithoutLimitAreRefused() {
    RetryPolicy endless = RetryPolicy.builder().attemptLimit(RetryPolicy.UNLIMITED).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> InboxSettings.ofDefaults().retries(endless, endless))
        .withMessageContaining("retries must have an attempt limit");
  }

  @Test
  void everythingThatIsMissingOrDoesNotFitIsNamedAtOnce() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                Inbox.builder()
                    .name("stock")
                    .dedupeWindow(Duration.ofMinutes(1))
                    .brokerRetention(Duration.ofDays(7))
                    .handlerTimeout(Duration.ofMinutes(9))
                    .start())
        .withMessageContainingAll(
            "Inbox stock: store must be given",
            "subscriber must be given",
            "deadLetters must be given",
            "handler must be given at least once",
            "dedupeWindow must be longer than the longest retry (PT",
            "dedupeWindow must be longer than brokerRetention (PT168H), is PT1M",
            "the claim of deferred events must be at least twice handlerTimeout (PT9M), is PT5M");
  }

  @Test
  void aHandlerMayNotTakeLongerThanItsTransaction() {
    JdbcInboxStore store =
        JdbcInboxStore.of(
            () -> {
              throw new SQLException("not to be opened");
            },
            DatabaseKind.MARIADB,
            "stock",
            InboxOptions.ofDefaults().statementLimit(Duration.ofSeconds(30)));
    assertThatIllegalStateException()
        .isThrownBy(() -> Inbox.builder().store(store).start())
        .withMessageContaining(
            "handlerTimeout must be less than the statement limit of the store (PT30S), after which"
                + " the database ends a handler's transaction, is PT30S");
    assertThat(store.joining(() -> Assertions.fail("not to be begun")).statementLimit()).isEmpty();
  }

  @Test
  void boundsAreChecked() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InboxSettings.ofDefaults().workers(0))
        .withMessage("workers must be at least 1, but is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InboxSettings.Shared(0, Duration.ofMillis(5)))
        .withMessage("shared events must be at least 1, but is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InboxSettings.Shared(1_001, Duration.ofMillis(5)))
        .withMessage("shared events must be at most 1000, but is 1001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new InboxSettings.Shared(20, Duration.ZERO))
        .withMessage("shared time in us must be at least 1, but is 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Registration("t", 1, 1_001, (events, connection) -> {}))
        .withMessage("batch of the handler for t must be from 1 to 1000, is 1001");
  }
}
