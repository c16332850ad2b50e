package io.waybill.spring.cloudstream;

import java.io.IOException;
import org.springframework.amqp.rabbit.connection.Connection;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;

/** Looks at the binder's connection, which is opened if there is none. */
record RabbitProbe(ConnectionFactory connections, RabbitAlarms alarms) implements BinderKind.Probe {
  @Override
  public void ask() throws IOException {
    Connection connection = connections.createConnection();
    try {
      if (!connection.isOpen()) {
        throw new IOException("the connection is closed");
      }
    } finally {
      connection.close(); // Gives it back: it is the binder's.
    }
    String alarm = alarms.reason();
    if (alarm != null) {
      throw new IOException("the broker takes no messages: " + alarm);
    }
  }

  @Override
  public void close() {
    // Nothing of its own.
  }
}
