package io.waybill.testkit;

import org.junit.jupiter.api.Tag;

@Tag("long")
class PostgresWalletNoteTest extends NoteContract {
  private static final StoreFixture FIXTURE =
      new LayoutFixture(new PostgresTestDatabase(), SampleTable.WALLET);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
