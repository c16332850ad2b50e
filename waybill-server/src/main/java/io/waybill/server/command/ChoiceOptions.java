package io.waybill.server.command;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Conditions on events and on dead letters, and how many are meant at most. */
final class ChoiceOptions {
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
      names = "--older-than",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Events written, dead letters given up, before that long ago, for example 15m.")
  private @Nullable Duration olderThan;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many events, up to 10000. Default: ${DEFAULT-VALUE}.")
  private int limit;

  @Nullable String type() {
    return type;
  }

  @Nullable String key() {
    return key;
  }

  @Nullable Duration olderThan() {
    return olderThan;
  }

  int limit() {
    if (limit < 1 || limit > 10_000) {
      throw new CommandFailure(ExitCode.USAGE, "--limit must be from 1 to 10000, but is " + limit);
    }
    return limit;
  }
}
