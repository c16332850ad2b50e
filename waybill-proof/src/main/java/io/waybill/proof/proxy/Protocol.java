package io.waybill.proof.proxy;

/** What a proxied connection speaks. Encrypted and compressed connections pass as plain bytes. */
public enum Protocol {
  /** Any bytes; only toxics and commands have an effect. */
  PLAIN,
  /** PostgreSQL's protocol 3. */
  POSTGRESQL,
  /** The protocol of MySQL and MariaDB. */
  MYSQL,
  /** AMQP 0-9-1. */
  AMQP,
  /** Kafka's protocol. */
  KAFKA;

  Conversation begin() {
    return switch (this) {
      case PLAIN -> (direction, bytes) -> Frame.other("bytes", bytes.remaining());
      case POSTGRESQL -> new PostgresConversation();
      case MYSQL -> new MySqlConversation();
      case AMQP -> new AmqpConversation();
      case KAFKA -> new KafkaConversation();
    };
  }
}
