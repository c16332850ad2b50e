package io.waybill.spring.autoconfigure;

import io.waybill.spring.LateRelaySignal;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.internal.database.OutboxDatabase;

/** The beans that each outbox has, and their names. */
enum OutboxBean {
  DATABASE("database", "waybillOutboxDatabase", "OutboxDatabase", OutboxDatabase.class),
  RELAY_SIGNAL("relaySignal", "waybillRelaySignal", "RelaySignal", LateRelaySignal.class),
  OUTBOX("outbox", "waybillOutbox", "Outbox", SpringOutbox.class),
  RELAY("relay", "waybillRelay", "Relay", RelayLifecycle.class);

  private final String method;
  private final String single;
  private final String suffix;
  private final Class<?> type;

  OutboxBean(String method, String single, String suffix, Class<?> type) {
    this.method = method;
    this.single = single;
    this.suffix = suffix;
    this.type = type;
  }

  /** Method of {@link OutboxFactory} that makes it. */
  String method() {
    return method;
  }

  Class<?> type() {
    return type;
  }

  /** Name of the bean: of several outboxes {@code ordersOutbox}, for example. */
  String of(String outbox, boolean only) {
    return only ? single : outbox + suffix;
  }
}
