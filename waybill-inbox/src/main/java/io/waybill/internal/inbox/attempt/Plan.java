package io.waybill.internal.inbox.attempt;

import io.waybill.handler.Registration;

/** What to do with a message, as far as its type determines that. */
public sealed interface Plan {
  /** Which variant it is. */
  Kind kind();

  /** The variants. */
  enum Kind {
    HANDLE,
    IGNORE,
    PASS_OVER,
    BURY,
    HALT
  }

  /**
   * Call the handler.
   *
   * @param registration the handler
   */
  record Handle(Registration registration) implements Plan {
    @Override
    public Kind kind() {
      return Kind.HANDLE;
    }
  }

  /** Acknowledge it unseen. */
  record Ignore() implements Plan {
    @Override
    public Kind kind() {
      return Kind.IGNORE;
    }
  }

  /**
   * Acknowledge it unseen, since it is for another consumer.
   *
   * @param consumer name of that consumer
   */
  record PassOver(String consumer) implements Plan {
    @Override
    public Kind kind() {
      return Kind.PASS_OVER;
    }
  }

  /**
   * Dead-letter it.
   *
   * @param reason short machine-readable class
   * @param detail one sentence for an operator
   */
  record Bury(String reason, String detail) implements Plan {
    @Override
    public Kind kind() {
      return Kind.BURY;
    }
  }

  /**
   * Stop its lane.
   *
   * @param detail one sentence for an operator
   */
  record Halt(String detail) implements Plan {
    @Override
    public Kind kind() {
      return Kind.HALT;
    }
  }
}
