package io.waybill.spring.internal.broker;

import org.jspecify.annotations.Nullable;

/**
 * Whether passwords may go to another machine in plaintext.
 *
 * @param section where the key stands, for example {@code waybill.kafka}
 * @param key what it says, null if nothing
 */
record PlaintextPasswords(String section, @Nullable Boolean key) {
  /** What the libraries call it in their messages. */
  private static final String IN_JAVA = "allowPlaintextPasswords";

  /**
   * Whether they may.
   *
   * @param ofSpring whether the connection is one that Spring makes in the same way: to refuse it
   *     here would break the application and protect nothing
   */
  boolean allowed(boolean ofSpring) {
    return key == null ? ofSpring : key;
  }

  /** What a library refuses, with the key in place of its own setting. */
  String named(String message) {
    return message.replace(IN_JAVA, name());
  }

  /** The key with the value that allows it. */
  String name() {
    return section + ".allow-plaintext-passwords=true";
  }
}
