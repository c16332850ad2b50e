package io.waybill.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.ErrorClassifier;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What databases say when they pass through something, and when somebody has to mend something. */
class TemporaryErrorsTest {
  @ParameterizedTest
  @CsvSource({
    // Planned switch-over.
    "25006,0", // PostgreSQL: read-only
    "57P01,0", // administrator's shutdown
    "57P02,0", // crash of another session
    "57P03,0", // starting, stopping, in recovery
    "57P05,0", // idle session
    "HY000,1290", // MariaDB, MySQL: read_only
    "HY000,1836", // read-only mode
    "25006,1792", // read-only transaction
    "HY000,1874", // InnoDB is read-only
    "HY000,3032", // MySQL: offline mode
    "HY000,3100", // MySQL: group replication refuses
    "40000,3101", // MySQL: group replication rolls back
    "08S01,1053", // shutdown
    // Failover.
    "08006,0",
    "08001,0",
    "08S01,1047", // Galera: not ready
    "HY000,1180", // a commit that replication failed
    "HY000,9001", // ProxySQL: nobody behind it
    "26000,0", // a pooler's other server lacks the prepared statement
    // Locks.
    "40001,0",
    "40P01,0",
    "55P03,0",
    "HY000,1205",
    "40001,1213",
    "HY000,1020", // MariaDB: changed since the snapshot
    "HY000,3572", // MySQL: nowait
    // Kill, limits.
    "57014,0",
    "25P03,0",
    "25P04,0",
    "70100,1317",
    "70100,1927",
    "70100,1969",
    "HY000,3024",
    "HY000,4031", // MySQL: the connection has rested too long
    // Full.
    "53100,0",
    "HY000,1021",
    "HY000,1114",
    "HY000,3675",
    "HY000,3",
    "53200,0",
    "53300,0",
    "08004,1040",
    "42000,1203",
    "42000,1226",
    // Migration.
    "0A000,0", // a cached plan that outlived its table
    "HY000,1412",
    "HY000,1615"
  })
  void passes(String state, int code) {
    SQLException failure = new SQLException("no", state, code);

    assertThat(TemporaryErrors.isTemporary(failure)).isTrue();
    assertThat(ErrorClassifier.ofDefaults().isTemporary(new IllegalStateException(failure)))
        .isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "42P01,0", // no such table, column, function: a migration that is missing
    "42703,0",
    "42883,0",
    "42S02,1146",
    "42S22,1054",
    "42501,0", // no privilege
    "42000,1142",
    "23505,0", // constraints
    "23000,1062",
    "40002,0", // one that is checked at the commit
    "22001,0", // values
    "HY000,1366",
    "P0001,0", // what a trigger raises
    "45000,1644",
    "HY000,1364", // a column without a value
    "25P02,0", // in a transaction that has failed
    "XX000,0"
  })
  void stays(String state, int code) {
    SQLException failure = new SQLException("no", state, code);

    assertThat(TemporaryErrors.isTemporary(failure)).isFalse();
    assertThat(ErrorClassifier.ofDefaults().isTemporary(new IllegalStateException(failure)))
        .isFalse();
  }

  @Test
  void whatADriverPutsBehindItsExceptionCounts() {
    SQLException readOnly = new SQLException("no", "HY000", 1290);
    BatchUpdateException batch = new BatchUpdateException("no", "HY000", 0, new int[0]);
    batch.setNextException(readOnly);

    assertThat(TemporaryErrors.isTemporary(batch)).isTrue();
    assertThat(TemporaryErrors.isTemporary(new SQLException("no", readOnly))).isTrue();
    assertThat(TemporaryErrors.isTemporary(new SQLException("no"))).isFalse();
  }
}
