package io.waybill.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import io.waybill.internal.observe.MessagingConventions;

/** The attributes of {@link MessagingConventions}, with their types. */
final class Messaging {
  static final AttributeKey<String> SYSTEM = text(MessagingConventions.SYSTEM);
  static final AttributeKey<String> OPERATION = text(MessagingConventions.OPERATION);
  static final AttributeKey<String> OPERATION_TYPE = text(MessagingConventions.OPERATION_TYPE);
  static final AttributeKey<String> DESTINATION = text(MessagingConventions.DESTINATION);
  static final AttributeKey<String> PARTITION = text(MessagingConventions.PARTITION);
  static final AttributeKey<Long> OFFSET = number(MessagingConventions.OFFSET);
  static final AttributeKey<Boolean> TOMBSTONE =
      AttributeKey.booleanKey(MessagingConventions.TOMBSTONE);
  static final AttributeKey<String> ROUTING_KEY = text(MessagingConventions.ROUTING_KEY);
  static final AttributeKey<String> GROUP = text(MessagingConventions.CONSUMER_GROUP);
  static final AttributeKey<String> CLIENT = text(MessagingConventions.CLIENT_ID);
  static final AttributeKey<String> MESSAGE = text(MessagingConventions.MESSAGE_ID);
  static final AttributeKey<String> CONVERSATION = text(MessagingConventions.CONVERSATION_ID);
  static final AttributeKey<Long> BODY_SIZE = number(MessagingConventions.BODY_SIZE);
  static final AttributeKey<Long> BATCH = number(MessagingConventions.BATCH_COUNT);
  static final AttributeKey<String> ERROR = text(MessagingConventions.ERROR_TYPE);
  static final AttributeKey<String> SERVER = text(MessagingConventions.SERVER_ADDRESS);
  static final AttributeKey<Long> PORT = number(MessagingConventions.SERVER_PORT);

  private Messaging() {}

  private static AttributeKey<String> text(String name) {
    return AttributeKey.stringKey(name);
  }

  private static AttributeKey<Long> number(String name) {
    return AttributeKey.longKey(name);
  }
}
