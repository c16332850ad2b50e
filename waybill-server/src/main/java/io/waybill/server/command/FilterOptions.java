package io.waybill.server.command;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which events a command is about. All conditions have to hold. */
final class FilterOptions {
  @Parameters(
      paramLabel = "ID",
      arity = "0..*",
      description = "Event ids. Without any, the options below choose.")
  private List<String> ids = new ArrayList<>();

  @Mixin private ChoiceOptions choice = new ChoiceOptions();

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description = "Events in this state: ${COMPLETION-CANDIDATES}.")
  private @Nullable EventStatus state;

  @Option(
      names = "--group",
      paramLabel = "GROUP",
      description = "Events of this group of failures, as failures list shows it.")
  private @Nullable String group;

  @Option(
      names = "--destination",
      paramLabel = "NAME",
      description = "Events that the configured routes lead there: topic, or exchange/routing-key.")
  private @Nullable String destination;

  @Option(
      names = "--trace",
      paramLabel = "ID",
      description = "Events that were written in this trace: its 32 hexadecimal digits.")
  private @Nullable String trace;

  /** Ages count from here, in all pages. */
  private final Instant now = Instant.now();

  /** The conditions that the database checks. */
  EventFilter filter() {
    String key = choice.key();
    int slash = key == null ? -1 : key.indexOf('/');
    if (key != null && slash < 1) {
      throw new CommandFailure(
          ExitCode.USAGE, "--key must be AGGREGATE/ID, for example order/42, but is '" + key + "'");
    }
    EventFilter failures = group();
    EventStatus status = state == null ? failures.status() : state;
    if (failures.group() != null && status != failures.status()) {
      throw new CommandFailure(
          ExitCode.USAGE, "--state must be that of --group %s, but is %s".formatted(group, state));
    }
    return new EventFilter(
        ids,
        status,
        choice.type(),
        key == null ? null : key.substring(0, slash),
        key == null ? null : key.substring(slash + 1),
        choice.error(),
        ago(choice.newerThan()),
        ago(choice.olderThan()),
        failures.group(),
        trace());
  }

  private @Nullable String trace() {
    if (trace != null && !EventFilter.isTraceId(trace)) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--trace must have 32 hexadecimal digits in lower case, but is '" + trace + "'");
    }
    return trace;
  }

  private EventFilter group() {
    try {
      return group == null ? EventFilter.ALL : FailureGroup.filter(group);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(ExitCode.USAGE, "--group: " + e.getMessage());
    }
  }

  private @Nullable Instant ago(@Nullable Duration age) {
    return age == null ? null : now.minus(age);
  }

  /** Restricts the filter to a state; another one was a mistake. */
  void only(EventStatus only) {
    if (state != null && state != only) {
      throw new CommandFailure(
          ExitCode.USAGE, "This is for events in state " + only + " alone, not " + state);
    }
    state = only;
  }

  boolean isEmpty() {
    return filter().isEmpty() && destination == null;
  }

  @Nullable String destination() {
    return destination;
  }

  int limit() {
    return choice.limit();
  }

  int limitOfChange() {
    return choice.limitOfChange();
  }
}
