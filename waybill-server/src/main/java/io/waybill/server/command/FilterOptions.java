package io.waybill.server.command;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which events a command is about. All conditions have to hold. */
final class FilterOptions {
  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Event ids. Without any, the options below choose.")
  private List<String> ids = new ArrayList<>();

  @Option(names = "--type", paramLabel = "TYPE", description = "Events of this type.")
  private @Nullable String type;

  @Option(
      names = "--key",
      paramLabel = "AGGREGATE/ID",
      description = "Events of this key: aggregate type, slash, aggregate id.")
  private @Nullable String key;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Events in this state: ${COMPLETION-CANDIDATES}.")
  private @Nullable EventStatus state;

  @Option(
      names = "--destination",
      paramLabel = "NAME",
      description = "Events that the configured routes lead there: topic, or exchange/routing-key.")
  private @Nullable String destination;

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "Events written before that long ago, for example 15m.")
  private @Nullable Duration olderThan;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "100",
      description = "At most so many events, up to 10000. Default: ${DEFAULT-VALUE}.")
  private int limit;

  /** The conditions that the database checks. */
  EventFilter filter() {
    int slash = key == null ? -1 : key.indexOf('/');
    if (key != null && slash < 1) {
      throw new CommandFailure(
          ExitCode.USAGE, "--key must be AGGREGATE/ID, for example order/42, but is '" + key + "'");
    }
    return new EventFilter(
        ids,
        state,
        type,
        key == null ? null : key.substring(0, slash),
        key == null ? null : key.substring(slash + 1));
  }

  boolean isEmpty() {
    return filter().isEmpty() && destination == null && olderThan == null;
  }

  @Nullable String destination() {
    return destination;
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

  List<String> ids() {
    return ids;
  }
}
