package io.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Asks questions that may close the channel: each has one of its own. */
final class ScratchChannel {
  private final Connection connection;

  ScratchChannel(Connection connection) {
    this.connection = connection;
  }

  /**
   * Asks.
   *
   * @param question calls the broker once
   * @return the answer
   * @throws IOException when the connection fails
   */
  Answer ask(Question question) throws IOException, TimeoutException {
    Channel channel =
        connection
            .openChannel()
            .orElseThrow(() -> new IOException("the broker allows no further channel"));
    try {
      question.on(channel);
      channel.close();
      return new Answer(0, "");
    } catch (IOException e) {
      if (e.getCause() instanceof ShutdownSignalException signal
          && signal.getReason() instanceof AMQP.Channel.Close close) {
        return new Answer(close.getReplyCode(), close.getReplyText());
      }
      throw e;
    }
  }

  /** One call. */
  interface Question {
    void on(Channel channel) throws IOException;
  }

  /**
   * What the broker said.
   *
   * @param code reply code, 0 when it agreed
   * @param text its words
   */
  record Answer(int code, String text) {
    boolean isYes() {
      return code == 0;
    }
  }
}
