package io.waybill.broker;

/**
 * The outcome of one send. Exactly one is reported for each accepted send. Only {@link Rejected}
 * counts towards the attempt limit. A {@link Refused} or {@link Unknown} message is tried again
 * however long it takes.
 */
public sealed interface Confirmation {
  /**
   * The send that this is the outcome of.
   *
   * @return {@link Outgoing#sendId()}
   */
  long sendId();

  /** The message is not known to be stored. */
  sealed interface NotConfirmed extends Confirmation {
    /**
     * The reason, for machines.
     *
     * @return a short class, for example {@code record-too-large}
     */
    String reason();

    /**
     * The reason, for people.
     *
     * @return one sentence for an operator, without payload
     */
    String detail();

    /**
     * Whether the broker may have stored a copy nevertheless.
     *
     * @return true if a copy may exist
     */
    boolean copyPossible();
  }

  /**
   * The broker has stored a copy of exactly those bytes: acknowledged, not returned, not nacked.
   *
   * @param sendId the send
   * @param partition the partition that has it; -1 if the broker has none or does not say
   * @param offset its offset there; -1 if the broker has none or does not say
   */
  record Confirmed(long sendId, int partition, long offset) implements Confirmation {
    /**
     * Creates a confirmation without a position.
     *
     * @param sendId the send
     */
    public Confirmed(long sendId) {
      this(sendId, -1, -1);
    }
  }

  /**
   * The broker or client definitely refused this message, and would always refuse it; no copy is
   * stored under this send.
   *
   * @param sendId the send
   * @param reason short machine-readable class, for example {@code record-too-large}
   * @param detail one sentence for an operator, without payload
   */
  record Rejected(long sendId, String reason, String detail) implements NotConfirmed {
    @Override
    public boolean copyPossible() {
      return false;
    }
  }

  /**
   * The destination refuses, whatever the message is: its topic or exchange is missing, nothing is
   * bound, its queue is full, the relay may not write there. A <em>destination</em> is the one that
   * the broker sees: a topic, or an exchange with a routing key. Other destinations are not
   * affected.
   *
   * @param sendId the send
   * @param reason short machine-readable class, for example {@code topic-missing}
   * @param detail one sentence for an operator, without payload
   * @param copyPossible whether a copy may be stored nevertheless, for example in one of several
   *     queues
   */
  record Refused(long sendId, String reason, String detail, boolean copyPossible)
      implements NotConfirmed {}

  /**
   * The message was certainly not handed to the broker, for a passing reason: the client's buffer
   * is full, for example. It is sent again soon.
   *
   * @param sendId the send
   * @param reason short machine-readable class, for example {@code buffer-full}
   * @param detail one sentence for an operator, without payload
   */
  record NotSent(long sendId, String reason, String detail) implements NotConfirmed {
    @Override
    public boolean copyPossible() {
      return false;
    }
  }

  /**
   * The outcome is unknown: timeout, lost connection, closed channel. A copy may exist.
   *
   * @param sendId the send
   * @param reason short machine-readable class, for example {@code delivery-timeout}
   * @param detail one sentence for an operator, without payload
   */
  record Unknown(long sendId, String reason, String detail) implements NotConfirmed {
    @Override
    public boolean copyPossible() {
      return true;
    }
  }
}
