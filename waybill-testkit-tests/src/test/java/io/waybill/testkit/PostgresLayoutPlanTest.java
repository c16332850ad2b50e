package io.waybill.testkit;

class PostgresLayoutPlanTest extends LayoutPlanContract {
  @Override
  TestDatabase database() {
    return new PostgresTestDatabase();
  }

  @Override
  String byPrimaryKey() {
    return "Index Scan using \\w+_pkey on \\w+ o(_\\d)? [^\\n]*\\n\\s+Index Cond";
  }
}
