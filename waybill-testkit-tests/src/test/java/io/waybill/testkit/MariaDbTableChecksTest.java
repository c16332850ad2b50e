package io.waybill.testkit;

import io.waybill.observe.Check;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MariaDbTableChecksTest extends TableChecksContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }

  @Override
  String naive() {
    return "datetime(6)";
  }

  @Override
  String ignoringCase(Connection connection) {
    return " character set utf8mb4 collate utf8mb4_general_ci";
  }

  @Override
  String countedTable() {
    return """
    create table counted (id int not null auto_increment primary key,
      event_type varchar(100) not null, payload text not null, account varchar(100),
      created_at timestamp(6) not null default current_timestamp(6), status varchar(20) not null)""";
  }

  @Override
  String useUpNumbers() {
    return "alter table counted auto_increment = 2000000000";
  }

  @Override
  List<String> trigger() {
    return List.of(
        "create trigger meddling before delete on shop_outbox for each row set @meddled = 1");
  }

  @Test
  void aColumnThatLacksCharactersIsNamedAndMended() throws SQLException {
    String collation = " character set latin1 collate latin1_bin";
    table("", "timestamp(6) not null default current_timestamp(6)", "not null", 2_000);
    sql("alter table shop_outbox modify payload text" + collation + " not null");
    mend(layout().build(), Check.ADOPTED_CHARACTERS_LOST);
  }

  @Test
  void aTimeThatEachUpdateChangesIsNamedAndMended() throws SQLException {
    table(
        "",
        "timestamp(6) not null default current_timestamp(6) on update current_timestamp(6)",
        "not null",
        2_000);
    mend(layout().build(), Check.ADOPTED_TIME_CHANGES);
  }
}
