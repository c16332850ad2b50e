package io.waybill.handler;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.internal.inbox.attempt.Failure;
import io.waybill.store.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTimeoutException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ErrorClassifierTest {
  private static final ErrorClassifier DEFAULT = ErrorClassifier.ofDefaults();

  static Stream<Throwable> temporary() {
    return Stream.of(
        new TemporaryException("later"),
        new IOException("reset"),
        new UncheckedIOException(new IOException("reset")),
        new TimeoutException(),
        new InterruptedException(),
        new SQLTimeoutException(),
        new SQLRecoverableException(),
        new SQLException("deadlock", "40001"),
        new SQLException("connection", "08006"),
        new SQLException("lock", "55P03"),
        new SQLException("lock", "HY000", 1205),
        new SQLException("killed", "70100", 1927),
        new IllegalStateException(new RuntimeException(new SQLException("shutdown", "57P01"))),
        new StoreException("gone", new SQLException(), true),
        new OutOfMemoryError());
  }

  static Stream<Throwable> permanent() {
    return Stream.of(
        new PermanentException("no such product"),
        new PermanentException("no such product", new IOException()),
        new IllegalArgumentException(),
        new NullPointerException(),
        new SQLIntegrityConstraintViolationException("unique", "23505"),
        new SQLException("syntax", "42601"),
        new SQLException("nothing said"),
        new StoreException("no table", new SQLException(), false),
        new AssertionError());
  }

  @ParameterizedTest
  @MethodSource("temporary")
  void mayPass(Throwable failure) {
    assertThat(DEFAULT.isTemporary(failure)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("permanent")
  void willNotPass(Throwable failure) {
    assertThat(DEFAULT.isTemporary(failure)).isFalse();
  }

  @Test
  void classesCanBeAddedToBothSides() {
    ErrorClassifier own =
        DEFAULT
            .alsoTemporary(Set.of(IllegalStateException.class))
            .alsoPermanent(Set.of(IOException.class));

    assertThat(own.isTemporary(new RuntimeException(new IllegalStateException()))).isTrue();
    assertThat(own.isTemporary(new IOException())).isFalse();
    assertThat(own.isTemporary(new TimeoutException())).isTrue();
  }

  @Test
  void aFailureIsPrintableAndBounded() {
    Failure failure =
        new Failure(
            true,
            Failure.describe(new IllegalStateException("a\u0000\nb\ud800" + "x".repeat(5_000))));

    assertThat(failure.error())
        .startsWith("java.lang.IllegalStateException: a  b x")
        .hasSizeLessThanOrEqualTo(1_000);
  }
}
