package io.waybill.spring.internal.api;

import static io.waybill.spring.internal.api.Parameter.choice;
import static io.waybill.spring.internal.api.Parameter.text;
import static io.waybill.spring.internal.api.Parameter.texts;
import static io.waybill.spring.internal.api.Parameter.time;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which events an operation is about. */
final class Conditions {
  private static final int MOST_IDS = 100;

  static final List<Parameter> PARAMETERS =
      List.of(
          texts("eventId", MOST_IDS, "Events with one of these ids."),
          choice(
              "state",
              EventStatus.class,
              Arrays.stream(EventStatus.values()),
              "Events in this state."),
          text("type", "Events of this type."),
          text("aggregateType", "First part of the key."),
          text("aggregateId", "Second part of the key."),
          text("reason", "Events that failed for this reason."),
          time("since", "Written at this time or later."),
          time("before", "Written before this time."),
          text("group", "Events of this group of failures."),
          text("traceId", "Events that were written in this trace, by its 32 hexadecimal digits."));

  private Conditions() {}

  static EventFilter filter(Call call) {
    String group = call.text("group");
    EventFilter failures = group == null ? EventFilter.ALL : group(group);
    EventStatus state = call.choice("state", EventStatus.class);
    if (group != null && state != null && state != failures.status()) {
      throw ApiProblem.invalid("state", "must be that of the group", state.name());
    }
    return new EventFilter(
        call.texts("eventId"),
        state == null ? failures.status() : state,
        call.text("type"),
        call.text("aggregateType"),
        call.text("aggregateId"),
        call.text("reason"),
        call.time("since"),
        call.time("before"),
        failures.group(),
        trace(call));
  }

  /** The events of a group. */
  static EventFilter group(String id) {
    try {
      return FailureGroup.filter(id);
    } catch (IllegalArgumentException e) {
      throw ApiProblem.invalid("group", "must be the id of a group of failures", id);
    }
  }

  private static @Nullable String trace(Call call) {
    String trace = call.text("traceId");
    if (trace != null && !EventFilter.isTraceId(trace)) {
      throw ApiProblem.invalid("traceId", "must have 32 hexadecimal digits in lower case", trace);
    }
    return trace;
  }
}
