package io.waybill.server.command;

import io.waybill.internal.encode.DeadLetter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which dead letters a command is about. All conditions have to hold. */
final class DeadLetterFilter {
  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description = "Topic or queue that the dead letters come from; they are in SOURCE.dlt.")
  private String source = "";

  @Parameters(
      index = "1..*",
      paramLabel = "ID",
      arity = "0..*",
      description = "Event ids. Without any, the options below choose.")
  private List<String> ids = new ArrayList<>();

  @Mixin private ChoiceOptions choice = new ChoiceOptions();

  @Option(
      names = "--consumer",
      paramLabel = "NAME",
      description = "Events that this consumer service dead-lettered.")
  private @Nullable String consumer;

  @Option(
      names = "--despite-limit",
      description =
          "Read a RabbitMQ queue even if it drops dead letters after some deliveries; each read"
              + " counts.")
  private boolean despiteLimit;

  private final Instant now = Instant.now();

  /** Where the letters lie, also if that was named itself. */
  String name() {
    return DeadLetter.nameOf(DeadLetter.sourceOf(source));
  }

  int limit() {
    return choice.limit();
  }

  boolean despiteLimit() {
    return despiteLimit;
  }

  boolean isEmpty() {
    return ids.isEmpty()
        && choice.type() == null
        && choice.key() == null
        && consumer == null
        && choice.error() == null
        && choice.olderThan() == null
        && choice.newerThan() == null;
  }

  boolean matches(DeadLetter letter) {
    String type = choice.type();
    String error = choice.error();
    return isNamed(letter.eventId())
        && (type == null || type.equals(letter.eventType()))
        && isKey(choice.key(), letter.key())
        && (consumer == null || consumer.equals(letter.consumer()))
        && (error == null || isError(error, letter))
        && isOfTheTime(letter);
  }

  private boolean isNamed(@Nullable String eventId) {
    return ids.isEmpty() || (eventId != null && ids.contains(eventId));
  }

  /** The whole key, or its id alone. */
  private static boolean isKey(@Nullable String wanted, @Nullable String found) {
    return wanted == null
        || (found != null && (found.equals(wanted) || found.endsWith("/" + wanted)));
  }

  /** An error reads {@code package.Class: message}. */
  private static boolean isError(String wanted, DeadLetter letter) {
    String said = letter.error();
    String name = said == null ? "" : said.split(":", 2)[0].strip();
    return name.equals(wanted) || name.endsWith("." + wanted) || wanted.equals(letter.reason());
  }

  private boolean isOfTheTime(DeadLetter letter) {
    Duration olderThan = choice.olderThan();
    Duration newerThan = choice.newerThan();
    if (olderThan == null && newerThan == null) {
      return true;
    }
    Instant failed = letter.time();
    return (olderThan == null || failed.isBefore(now.minus(olderThan)))
        && (newerThan == null || failed.isAfter(now.minus(newerThan)));
  }
}
