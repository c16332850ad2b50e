package io.waybill.rabbitmq.internal.send;

import io.waybill.rabbitmq.internal.CloseCause;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What did not answer in time.
 *
 * @param sends the sends that did not
 * @param session the connection to give up, because nothing on it is answered; null if it is not
 * @param channels those to give up, beside which the others are answered
 */
record Overdue(List<Send> sends, @Nullable Session session, List<ConfirmChannel> channels) {
  private static final Logger LOG = LoggerFactory.getLogger(Overdue.class);

  static final Overdue NOTHING = new Overdue(List.of(), null, List.of());

  /**
   * Looks through the channels. Guarded by the lock of the publish window.
   *
   * @param session the open connection
   * @param isLate which sends are overdue
   * @param single whether single sends and channels may be given up, and not only everything
   * @param brokerAnswers whether the broker has answered anything since this send
   */
  static Overdue of(
      Session session, Predicate<Send> isLate, boolean single, Predicate<Send> brokerAnswers) {
    List<Send> late = new ArrayList<>(0);
    List<ConfirmChannel> channels = new ArrayList<>(0);
    boolean everything = false;
    for (ConfirmChannel channel : session.channels()) {
      Outstanding outstanding = channel.outstanding();
      if (single) {
        outstanding.forgetLate(isLate, late::add);
      }
      List<Send> left = outstanding.all().stream().filter(isLate).toList();
      late.addAll(left);
      boolean alone =
          channel == session.silent()
              || (channel != session.main() && left.stream().allMatch(brokerAnswers));
      if (!left.isEmpty() && single && alone) {
        channels.add(channel);
      } else {
        everything |= !left.isEmpty();
      }
    }
    return new Overdue(late, everything ? session : null, channels);
  }

  /** Ends what is to be given up, without the lock and without waiting. */
  void giveUp(PublishWindow publishWindow) {
    channels.forEach(Session::drop);
    if (session != null) {
      LOG.warn("RabbitMQ did not confirm in time. The publisher replaces the connection.");
      publishWindow.lost(session, CloseCause.OVERDUE);
      session.drop();
    }
  }
}
