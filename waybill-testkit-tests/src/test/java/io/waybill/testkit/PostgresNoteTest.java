package io.waybill.testkit;

import io.waybill.database.OnPublished;

class PostgresNoteTest extends NoteContract {
  private static final StoreFixture FIXTURE = new PostgresFixture(OnPublished.DELETE);

  @Override
  protected StoreFixture fixture() {
    return FIXTURE;
  }
}
