package io.waybill.testkit;

class MariaDbLayoutPlanTest extends LayoutPlanContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }

  /** As a tree by default on MySQL 9. */
  @Override
  String explain() {
    return "explain format = traditional ";
  }

  /** MySQL has a column of partitions before the kind of access. */
  @Override
  String byPrimaryKey() {
    return "\\bo (null )?(eq_ref|ref) \\S+ PRIMARY ";
  }
}
