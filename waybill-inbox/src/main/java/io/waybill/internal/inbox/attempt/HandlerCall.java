package io.waybill.internal.inbox.attempt;

import io.waybill.handler.BatchHandler;
import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.Interceptor;
import io.waybill.internal.observe.LogFields;
import io.waybill.message.ReceivedEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls handlers, with event ids, type and trace ids in the logging context. Thread-safe. */
public final class HandlerCall {
  /** The logger of an inbox, as configurations of logging name it. */
  public static final String LOGGER = "io.waybill.inbox.Inbox";

  private static final Logger log = LoggerFactory.getLogger(LOGGER);
  // Of a batch: so many are named.
  private static final int NAMED = 10;

  private final Interceptor interceptor;
  private final ErrorClassifier classifier;
  private final Function<SQLException, String> names;

  public HandlerCall(
      Interceptor interceptor, ErrorClassifier classifier, Function<SQLException, String> names) {
    this.interceptor = interceptor;
    this.classifier = classifier;
    this.names = names;
  }

  /**
   * Calls the handler of some events.
   *
   * @param tasks the events
   * @param connection for the handler
   * @param cut ends the connection; called after an error, such as one of a driver that is left
   *     within its protocol: the answer to the last statement would pass for that to the next
   * @return null if the handler returned
   */
  @Nullable Failure call(List<Task> tasks, Connection connection, Runnable cut) {
    Plan.Handle plan = (Plan.Handle) tasks.get(0).plan();
    List<ReceivedEvent> events =
        tasks.stream().map(task -> Objects.requireNonNull(task.event(), "event")).toList();
    LogFields before = fields(events);
    try {
      BatchHandler handler = plan.registration().handler();
      interceptor.around(events, () -> handler.handle(events, connection));
      return null;
    } catch (Throwable thrown) {
      if (thrown instanceof Error) {
        cut.run();
      }
      return failure(thrown);
    } finally {
      before.restore();
    }
  }

  /** A classifier that fails itself has said nothing. */
  Failure failure(Throwable thrown) {
    try {
      return new Failure(classifier.isTemporary(thrown), Failure.describe(thrown, names));
    } catch (RuntimeException | Error e) {
      // Not as it stands: it may be the failure itself that can't tell what it is.
      log.warn(
          "The error classifier failed ({}); the default one decides about the event",
          Failure.describe(e));
      return new Failure(isTemporaryByDefault(thrown), Failure.describe(thrown, names));
    }
  }

  private static boolean isTemporaryByDefault(Throwable thrown) {
    try {
      return ErrorClassifier.ofDefaults().isTemporary(thrown);
    } catch (RuntimeException | Error e) {
      return false;
    }
  }

  private static LogFields fields(List<ReceivedEvent> events) {
    List<String> traces =
        events.stream().map(ReceivedEvent::traceId).filter(Objects::nonNull).distinct().toList();
    return LogFields.set(
        named(events.stream().map(ReceivedEvent::id).toList()),
        events.get(0).type(),
        traces.isEmpty() ? null : named(traces));
  }

  /** The one, or the first of a batch and how many more there are. */
  private static String named(List<String> all) {
    if (all.size() == 1) {
      return all.get(0);
    }
    int first = Math.min(all.size(), NAMED);
    String names = String.join(",", all.subList(0, first));
    return all.size() == first ? names : names + ",+" + (all.size() - first);
  }
}
