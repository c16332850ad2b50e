package io.waybill.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.waybill.broker.ConsumableBroker.Depth;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.rabbitmq.internal.Failures;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;

/** How many messages are ready in queues, by one connection that is closed again. */
final class QueueDepths {
  private static final int CLOSE_MILLIS = 1_000;

  private QueueDepths() {}

  static Map<String, Depth> of(RabbitPublisherConfig config, Collection<String> names) {
    Map<String, Depth> depths = new TreeMap<>();
    Connection connection = null;
    try {
      connection = new Connector(config).openPlain();
      ScratchChannel scratch = new ScratchChannel(connection);
      for (String name : names) {
        // One that is not there, or that the user may not see, is left out.
        scratch.ask(
            channel ->
                depths.put(
                    name, new Depth(0, channel.queueDeclarePassive(name).getMessageCount())));
      }
      return depths;
    } catch (IOException | TimeoutException | ShutdownSignalException e) {
      throw new DeadLetterAccessException(
          "RabbitMQ does not say how much lies in its queues: " + Failures.describe(e), false, e);
    } finally {
      if (connection != null) {
        connection.abort(CLOSE_MILLIS);
      }
    }
  }
}
