package io.waybill.testkit;

class MariaDbLayoutPlanTest extends LayoutPlanContract {
  @Override
  TestDatabase database() {
    return new MariaDbTestDatabase();
  }

  @Override
  String byPrimaryKey() {
    return "\\bo (eq_ref|ref) \\S+ PRIMARY ";
  }
}
