package io.waybill.server.command;

import io.waybill.encode.DeadLetter;
import io.waybill.server.assemble.DeadLetters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which dead letters a command is about. All conditions have to hold. */
final class DltFilter {
  @Parameters(
      index = "0",
      paramLabel = "SOURCE",
      description = "Topic or queue whose dead letters are meant; they lie in SOURCE.dlt.")
  private String source = "";

  @Parameters(
      index = "1..*",
      paramLabel = "ID",
      arity = "0..*",
      description = "Event ids. Without any, the options below choose.")
  private List<String> ids = new ArrayList<>();

  @Option(names = "--type", paramLabel = "TYPE", description = "Events of this type.")
  private @Nullable String type;

  @Option(
      names = "--key",
      paramLabel = "AGGREGATE/ID",
      description = "Events of this key: aggregate type, slash, aggregate id, or the message key.")
  private @Nullable String key;

  @Option(
      names = "--consumer",
      paramLabel = "NAME",
      description = "Events that this consumer service has given up.")
  private @Nullable String consumer;

  @Option(
      names = "--error",
      paramLabel = "CLASS",
      description = "Events given up for this class of error, with or without package, or reason.")
  private @Nullable String error;

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Events that failed before that long ago, for example 15m.")
  private @Nullable Duration olderThan;

  @Option(
      names = "--newer-than",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Events that failed since that long ago.")
  private @Nullable Duration newerThan;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many events, up to 10000. Default: ${DEFAULT-VALUE}.")
  private int limit;

  private final Instant now = Instant.now();

  /** Where the letters lie. */
  String name() {
    return DeadLetters.name(source);
  }

  int limit() {
    if (limit < 1 || limit > 10_000) {
      throw new CommandFailure(ExitCode.USAGE, "--limit must be from 1 to 10000, but is " + limit);
    }
    return limit;
  }

  boolean isEmpty() {
    return ids.isEmpty()
        && type == null
        && key == null
        && consumer == null
        && error == null
        && olderThan == null
        && newerThan == null;
  }

  boolean matches(DeadLetter letter) {
    return isNamed(letter.eventId())
        && (type == null || type.equals(letter.eventType()))
        && (key == null || isKey(key, letter.key()))
        && (consumer == null || consumer.equals(letter.consumer()))
        && (error == null || isError(error, letter))
        && isOfTheTime(letter);
  }

  private boolean isNamed(@Nullable String eventId) {
    return ids.isEmpty() || (eventId != null && ids.contains(eventId));
  }

  /** The whole key, or its id alone. */
  private static boolean isKey(String wanted, @Nullable String found) {
    return found != null && (found.equals(wanted) || found.endsWith("/" + wanted));
  }

  /** An error reads {@code package.Class: message}. */
  private static boolean isError(String wanted, DeadLetter letter) {
    String said = letter.error();
    String name = said == null ? "" : said.split(":", 2)[0].strip();
    return name.equals(wanted) || name.endsWith("." + wanted) || wanted.equals(letter.reason());
  }

  private boolean isOfTheTime(DeadLetter letter) {
    if (olderThan == null && newerThan == null) {
      return true;
    }
    Instant failed = letter.time();
    return (olderThan == null || failed.isBefore(now.minus(olderThan)))
        && (newerThan == null || failed.isAfter(now.minus(newerThan)));
  }
}
