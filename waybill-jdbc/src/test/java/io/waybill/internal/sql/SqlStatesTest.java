package io.waybill.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whose fault a refusal is. */
class SqlStatesTest {
  @ParameterizedTest
  @CsvSource({
    "22001,0", // too long
    "22P05,0", // a character that the database does not have
    "54000,0", // larger than any row
    "22003,1264", // out of range, MariaDB
    "08S01,1153", // a packet that the server does not take
    "42000,1118", // a row that its log does not take
    "HY000,1366", // a character that the column does not have
  })
  void valuesThatAreRefusedAreTheirEventsOwn(String state, int code) {
    assertThat(SqlStates.isRefusedData(new SQLException("no", state, code))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "08006,0", // connection lost
    "40P01,0", // deadlock
    "53100,0", // disk full
    "57014,0", // cancelled
    "42P01,0", // no such table
    "42501,0", // no privilege
    "42703,0", // no such column
    "23502,0", // a column of somebody else's that must not be null
    "23514,0", // a rule of somebody else's
    "42S02,1146",
    "42000,1142",
    "HY000,1114",
    "23000,1062",
  })
  void whatAnyOtherEventWouldMeetIsNot(String state, int code) {
    assertThat(SqlStates.isRefusedData(new SQLException("no", state, code))).isFalse();
  }

  @Test
  void aFailureWithoutStateIsNot() {
    assertThat(SqlStates.isRefusedData(new SQLException("no"))).isFalse();
  }
}
