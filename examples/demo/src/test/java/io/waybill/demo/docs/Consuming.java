package io.waybill.demo.docs;

import io.waybill.RunningInbox;
import io.waybill.Waybill;
import io.waybill.handler.PermanentException;
import io.waybill.handler.Registration;
import io.waybill.handler.UnknownTypes;
import io.waybill.inbox.InboxBuilder;
import io.waybill.kafka.KafkaBroker;
import io.waybill.message.Event;
import io.waybill.message.Payload;
import io.waybill.message.ReceivedEvent;
import io.waybill.outbox.Outbox;
import io.waybill.outbox.PostgresAppend;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import tools.jackson.databind.json.JsonMapper;

/** What the guide and the page about the inbox quote. */
final class Consuming {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Outbox OUTBOX = Outbox.of(PostgresAppend.ofDefaults());

  private final Mail mail;

  Consuming(Mail mail) {
    this.mail = mail;
  }

  /** A service elsewhere, which drops what it has had under the same key. */
  interface Mail {
    void send(String idempotencyKey, String text);
  }

  // quote:typed
  record Order(String orderId, long cents) {}

  static Order order(Payload payload) {
    return JSON.readValue(Objects.requireNonNull(payload.bytes(), "payload"), Order.class);
  }

  // quote:end

  RunningInbox start(DataSource dataSource, String servers) {
    // quote:inbox
    RunningInbox inbox =
        Waybill.inbox("payment") // the consumer: all its processes share this name
            .database(dataSource)
            .broker(KafkaBroker.at(servers))
            .sources("shop")
            .handler("order.placed", this::chargeUnknownAmount)
            .handler("order.shipped", this::tell)
            .options(this::more)
            .start();
    // quote:end
    return inbox;
  }

  // quote:options
  InboxBuilder more(InboxBuilder inbox) {
    return inbox
        .handler("order.placed", 2, Consuming::order, this::charge) // this version alone
        .batchHandler("stock.counted", Registration.ANY_VERSION, 100, this::count)
        .unknownTypes(UnknownTypes.IGNORE);
  }

  // quote:end

  // quote:handler
  void charge(Order order, ReceivedEvent event, Connection connection) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("update account set cents = cents - ? where id = 1")) {
      update.setLong(1, order.cents());
      update.executeUpdate();
    }
    Event paid =
        event.causes(Event.builder("payment.taken", "order", order.orderId())).json("{}").build();
    OUTBOX.append(connection, paid); // neither commits nor rolls back
  }

  // quote:end

  void chargeUnknownAmount(ReceivedEvent event, Connection connection) {
    // quote:permanent
    if (event.version() < 2) {
      throw new PermanentException("orders of version " + event.version() + " have no amount");
    }
    // quote:end
  }

  // quote:outside
  void tell(ReceivedEvent event, Connection connection) {
    mail.send(event.idempotencyKey(), "Your order is on its way"); // may be called again
  }

  // quote:end

  // quote:batch
  void count(List<ReceivedEvent> events, Connection connection) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into stock (event_id) values (?)")) {
      for (ReceivedEvent event : events) {
        insert.setString(1, event.id());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  // quote:end
}
