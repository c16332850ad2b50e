package io.waybill.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

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
    } catch (AlreadyClosedException closed) {
      // The refusal of one command can arrive before the next one is sent.
      return refusal(closed).orElseThrow(() -> closed);
    } catch (IOException e) {
      return refusal(e.getCause()).orElseThrow(() -> e);
    }
  }

  private static Optional<Answer> refusal(@Nullable Throwable failure) {
    return failure instanceof ShutdownSignalException signal
            && signal.getReason() instanceof AMQP.Channel.Close close
        ? Optional.of(new Answer(close.getReplyCode(), close.getReplyText()))
        : Optional.empty();
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
