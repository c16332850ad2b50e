package io.waybill.server.command;

import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.DurationConverter;
import io.waybill.server.terminal.ExitCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Conditions on events and on dead letters, and how many are meant at most. */
final class ChoiceOptions {
  static final int SHOWN = 100;
  private static final int MOST_SHOWN = 10_000;

  @Option(names = "--type", paramLabel = "TYPE", description = "Events of this type.")
  private @Nullable String type;

  @Option(
      names = "--key",
      paramLabel = "AGGREGATE/ID",
      description =
          "Events of this key: aggregate type, slash, aggregate id; of dead letters the message"
              + " key too.")
  private @Nullable String key;

  @Option(
      names = "--error",
      paramLabel = "REASON",
      description =
          "Events that failed for this reason, as lists show it; of dead letters also a class of"
              + " error, with or without package.")
  private @Nullable String error;

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "Events written, or dead letters created, longer ago than this, for example 15m.")
  private @Nullable Duration olderThan;

  @Option(
      names = "--newer-than",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Events written, or dead letters created, within this time.")
  private @Nullable Duration newerThan;

  @Option(
      names = "--limit",
      paramLabel = "N",
      description =
          "At most this many. Default for lists and dead-letters redrive: 100, at most 10000; changes of"
              + " events apply to all matching events by default.")
  private @Nullable Integer limit;

  @Nullable String type() {
    return type;
  }

  @Nullable String key() {
    return key;
  }

  @Nullable String error() {
    return error;
  }

  @Nullable Duration olderThan() {
    return olderThan;
  }

  @Nullable Duration newerThan() {
    return newerThan;
  }

  /** How many are shown. */
  int limit() {
    return limit(SHOWN, MOST_SHOWN);
  }

  /** How many are changed. */
  int limitOfChange() {
    return limit(Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  private int limit(int usual, int most) {
    int wanted = limit == null ? usual : limit;
    if (wanted < 1 || wanted > most) {
      throw new CommandFailure(
          ExitCode.USAGE, "--limit must be from 1 to %d, but is %d".formatted(most, wanted));
    }
    return wanted;
  }
}
