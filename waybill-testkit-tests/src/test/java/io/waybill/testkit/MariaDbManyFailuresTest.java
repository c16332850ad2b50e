package io.waybill.testkit;

class MariaDbManyFailuresTest extends ManyFailuresContract {
  private static final LayoutFixture FIXTURE =
      new LayoutFixture(new MariaDbTestDatabase(), SampleTable.OWN);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }

  @Override
  String numbers(int last) {
    return "(select seq as n from seq_1_to_%d) numbers".formatted(last);
  }

  @Override
  String outbox() {
    return FIXTURE.table();
  }

  @Override
  String created() {
    return FIXTURE.created();
  }
}
