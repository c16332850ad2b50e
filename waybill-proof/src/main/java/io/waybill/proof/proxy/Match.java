package io.waybill.proof.proxy;

import java.util.regex.Pattern;

/** Which frames a rule is about. */
public sealed interface Match {
  /**
   * Frames of one kind.
   *
   * @param direction where they go
   * @param kind their kind
   */
  record Kind(Direction direction, FrameKind kind) implements Match {
    @Override
    public String toString() {
      return kind + " " + direction;
    }
  }

  /**
   * Ends of statements, by the statements' text; an OK packet behind a result set of MySQL is not
   * recognised.
   *
   * @param regex is found in the first kilobyte of the SQL text, whatever its case
   */
  record Statement(String regex) implements Match {
    /** Checks the expression. */
    public Statement {
      Pattern.compile(regex);
    }

    @Override
    public String toString() {
      return "reply to /" + regex + "/";
    }
  }

  /**
   * Frames of one kind.
   *
   * @param direction where they go
   * @param kind their kind
   * @return the match
   */
  static Match of(Direction direction, FrameKind kind) {
    return new Kind(direction, kind);
  }

  /**
   * Replies to {@code COMMIT} of PostgreSQL, MySQL and MariaDB.
   *
   * @return the match
   */
  static Match commitReply() {
    return of(Direction.TO_CLIENT, FrameKind.COMMIT_REPLY);
  }

  /**
   * Replies to statements that changed rows, as their text or their row count shows, and that were
   * a transaction of their own.
   *
   * @return the match
   */
  static Match autocommitReply() {
    return of(Direction.TO_CLIENT, FrameKind.AUTOCOMMIT_REPLY);
  }

  /**
   * Replies to statements whose text contains an expression.
   *
   * @param regex see {@link Statement}
   * @return the match
   */
  static Match replyTo(String regex) {
    return new Statement(regex);
  }

  /**
   * The broker's {@code basic.ack}.
   *
   * @return the match
   */
  static Match basicAck() {
    return of(Direction.TO_CLIENT, FrameKind.BASIC_ACK);
  }

  /**
   * The broker's {@code basic.nack}.
   *
   * @return the match
   */
  static Match basicNack() {
    return of(Direction.TO_CLIENT, FrameKind.BASIC_NACK);
  }

  /**
   * The broker's {@code basic.return} with the message that it returns.
   *
   * @return the match
   */
  static Match basicReturn() {
    return of(Direction.TO_CLIENT, FrameKind.BASIC_RETURN);
  }

  /**
   * A publisher's {@code basic.publish} with its message.
   *
   * @return the match
   */
  static Match basicPublish() {
    return of(Direction.TO_SERVER, FrameKind.BASIC_PUBLISH);
  }

  /**
   * A consumer's {@code basic.ack}.
   *
   * @return the match
   */
  static Match consumerAck() {
    return of(Direction.TO_SERVER, FrameKind.BASIC_ACK);
  }

  /**
   * Kafka's {@code Produce} requests.
   *
   * @return the match
   */
  static Match produceRequest() {
    return of(Direction.TO_SERVER, FrameKind.PRODUCE_REQUEST);
  }

  /**
   * Answers to Kafka's {@code Produce} requests.
   *
   * @return the match
   */
  static Match produceResponse() {
    return of(Direction.TO_CLIENT, FrameKind.PRODUCE_RESPONSE);
  }

  /**
   * Answers to Kafka's {@code OffsetCommit} requests.
   *
   * @return the match
   */
  static Match offsetCommitResponse() {
    return of(Direction.TO_CLIENT, FrameKind.OFFSET_COMMIT_RESPONSE);
  }
}
