package io.waybill.testkit.append;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.message.Event;
import io.waybill.message.EventLimits;
import io.waybill.message.Payload;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.RelaySignal;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class MySqlOutboxAppendTest extends OutboxAppendContract {
  @Override
  AppendDatabase launch() throws SQLException {
    return new MySqlAppendDatabase();
  }

  @Test
  void anEventThatTheServerCannotTakeIsNamedWithTheSetting() throws SQLException {
    MySqlAppendDatabase database = new MySqlAppendDatabase();
    EventLimits limits = EventLimits.builder().maxPayloadBytes(128 << 20).build();
    Outbox outbox = new Outbox(database.dialect(), limits, RelaySignal.NONE);
    int size =
        Integer.parseInt(String.valueOf(database.column("select @@max_allowed_packet").get(0)));
    Payload payload = Payload.of(new byte[size], Payload.BYTES);
    Event event = Event.builder("t", "a", "1").id("too-large").payload(payload).build();
    try (Connection connection = database.begin()) {
      assertThatExceptionOfType(SQLException.class)
          .isThrownBy(() -> outbox.append(connection, event))
          .withMessageContaining("too-large")
          .withMessageContaining("max_allowed_packet");
    }
    assertThat(database.names()).isEmpty();
  }
}
