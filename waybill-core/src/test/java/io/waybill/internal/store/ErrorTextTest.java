package io.waybill.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.waybill.handler.PermanentException;
import io.waybill.store.StoreException;
import java.math.BigDecimal;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** What may be told of an error. */
class ErrorTextTest {
  private static final String SECRET = "jane.doe@example.org";

  private static SQLException duplicate() {
    return new SQLException(
        "ERROR: duplicate key\n  Detail: Key (email)=(" + SECRET + ")", "23505", 0);
  }

  @Test
  void whatADatabaseMakesOfValuesIsLeftOutAndNamesRemain() {
    assertThat(ErrorText.of(duplicate(), own -> false, sql -> ", constraint person_email"))
        .isEqualTo("java.sql.SQLException (SQLState 23505, constraint person_email)");
    assertThat(ErrorText.of(new SQLException("Duplicate entry '" + SECRET + "'", "23000", 1062)))
        .isEqualTo("java.sql.SQLException (SQLState 23000, error 1062)");
  }

  @ParameterizedTest
  @CsvSource({"08006", "25006", "28000", "40P01", "42P01", "53300", "55P03", "57P01", "P0001"})
  void whatItSaysOfItselfAndWhatTriggersSayStaysWithoutItsDetail(String state) {
    assertThat(ErrorText.of(new SQLException("no way\n  Detail: " + SECRET, state)))
        .isEqualTo("java.sql.SQLException (SQLState " + state + "): no way");
  }

  @ParameterizedTest
  @CsvSource({"42601", "42000", "22P02", "23514", "44000", "HY000", "XX000"})
  void otherFirstLinesMayShowValues(String state) {
    assertThat(ErrorText.of(new SQLException("near " + SECRET, state))).doesNotContain(SECRET);
  }

  @Test
  void whoWrapsSuchAnErrorRepeatsItsWords() {
    assertThat(ErrorText.of(new IllegalStateException(new RuntimeException(duplicate()))))
        .isEqualTo(
            "java.lang.IllegalStateException, caused by java.sql.SQLException (SQLState 23505)");
    assertThat(ErrorText.of(new SQLException("said " + SECRET, duplicate())))
        .isEqualTo("java.sql.SQLException, caused by java.sql.SQLException (SQLState 23505)");
  }

  @Test
  void wordsForPeopleStay() {
    Throwable own = new PermanentException("known already", duplicate());

    assertThat(ErrorText.of(own, PermanentException.class::isInstance, sql -> ""))
        .isEqualTo(
            "io.waybill.handler.PermanentException: known already, caused by java.sql.SQLException"
                + " (SQLState 23505)");
    assertThat(ErrorText.of(new IllegalArgumentException("no stock")))
        .isEqualTo("java.lang.IllegalArgumentException: no stock");
    assertThat(ErrorText.reason(new StoreException("Could not read", duplicate(), false)))
        .isEqualTo("Could not read: java.sql.SQLException (SQLState 23505)");
  }

  @Test
  void theApplicationsOwnRefusalBehindSuchAnErrorIsTold() {
    Throwable refusal = new IllegalArgumentException("no stock");

    assertThat(ErrorText.of(new IllegalStateException(new SQLException(SECRET, refusal))))
        .isEqualTo(
            "java.lang.IllegalStateException, caused by java.sql.SQLException, caused by"
                + " java.lang.IllegalArgumentException: no stock");
  }

  @Test
  void aBatchShowsItsStatement() {
    BatchUpdateException batch =
        new BatchUpdateException("Batch entry 0 " + SECRET, "40P01", 0, new int[0]);
    assertThat(ErrorText.of(batch)).doesNotContain(SECRET).contains("40P01");

    batch.setNextException(new SQLException("deadlock", "40P01"));
    assertThat(ErrorText.of(batch)).isEqualTo("java.sql.SQLException (SQLState 40P01): deadlock");
  }

  static Stream<UnaryOperator<Object>> readings() {
    return Stream.of(
        text -> Integer.parseInt(text.toString()),
        text -> new BigDecimal(text.toString()),
        text -> UUID.fromString(text.toString()),
        text -> Instant.parse(text.toString()),
        text ->
            new JsonFactory().createParser(ObjectReadContext.empty(), text.toString()).nextToken(),
        text -> DayOfWeek.valueOf(text.toString()));
  }

  @ParameterizedTest
  @MethodSource("readings")
  void whatCannotBeReadIsNotShown(UnaryOperator<Object> reading) {
    Throwable failure = catchThrowable(() -> reading.apply(SECRET));

    assertThat(ErrorText.of(failure)).doesNotContain(SECRET);
    assertThat(ErrorText.of(new IllegalStateException("at " + failure.getMessage(), failure)))
        .doesNotContain(SECRET)
        .contains(failure.getClass().getName());
  }
}
