package io.waybill.internal.relay;

import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.internal.store.ErrorText;
import io.waybill.store.OutboxRow;

/** A mapper that throws for a row makes that row a bad row, and stops nobody else. */
final class GuardedMapper implements MessageMapper {
  private static final int MOST_CHARACTERS = 300;

  private final MessageMapper mapper;

  GuardedMapper(MessageMapper mapper) {
    this.mapper = mapper;
  }

  @Override
  public Mapped map(OutboxRow row, long sendId) {
    try {
      Mapped mapped = mapper.map(row, sendId);
      return mapped == null ? bad(row, "returned null") : mapped;
    } catch (RuntimeException | StackOverflowError | LinkageError e) {
      // A stack that overflows is as deep as the row, and a class that is missing is the mapper's.
      return bad(row, "threw " + ErrorText.of(e));
    }
  }

  private static Mapped bad(OutboxRow row, String what) {
    String shown = what.length() > MOST_CHARACTERS ? what.substring(0, MOST_CHARACTERS) : what;
    return new Mapped.Unmappable("bad-row", "Row " + row.rowId() + ": the mapper " + shown);
  }
}
