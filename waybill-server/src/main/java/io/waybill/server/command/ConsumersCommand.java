package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.internal.jdbc.operator.InboxAdmin;
import io.waybill.internal.jdbc.operator.InboxAdmin.ConsumerView;
import io.waybill.internal.jdbc.operator.InboxAdmin.Deferred;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.consumers.ConsumedSource;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lists the consumers whose inboxes have their tables beside an outbox. */
@Command(
    name = "consumers",
    description = {
      "List the consumers whose inboxes have their tables in the schema of the outbox.",
      "Each has its lag and the dead letters of its topics or queues, as far as the broker answers,",
      "and its deferred events (10,000 at most), since when, and the one that is tried next."
    })
final class ConsumersCommand implements Callable<Integer> {
  private static final int MOST_CONSUMERS = 1_000;
  private static final int MOST_COUNTED = 10_000;

  @Mixin private ConfigOptions options = new ConfigOptions();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    StandaloneOutbox outbox = options.outbox();
    try (Admin admin = outbox.admin()) {
      List<ConsumerView> consumers =
          InboxAdmin.of(admin).consumers("", MOST_CONSUMERS, MOST_COUNTED + 1);
      Map<String, List<ConsumedSource>> sources = sources(outbox, consumers);
      output.rows(
          consumers.stream()
              .map(each -> row(each, sources.getOrDefault(each.consumer(), List.of())))
              .toList(),
          "No consumer has noted anything.");
      return ExitCode.OK;
    }
  }

  /** The database knows the rest while the broker is away. */
  private Map<String, List<ConsumedSource>> sources(
      StandaloneOutbox outbox, List<ConsumerView> consumers) {
    try {
      return ConsumedSource.of((ConsumableBroker) outbox.broker(), outbox.transport(), consumers);
    } catch (DeadLetterAccessException e) {
      output.note("Without lag and dead letters: " + e.getMessage());
      return ConsumedSource.of(null, outbox.transport(), consumers);
    }
  }

  private static @Nullable Long sum(
      List<ConsumedSource> sources, Function<ConsumedSource, @Nullable Long> number) {
    return sources.stream().map(number).filter(Objects::nonNull).reduce(Long::sum).orElse(null);
  }

  private static Map<String, @Nullable Object> row(
      ConsumerView view, List<ConsumedSource> sources) {
    Deferred next = view.next();
    Map<String, @Nullable Object> row = new LinkedHashMap<>();
    row.put("consumer", view.consumer());
    row.put("lanes", view.doneBefore().size());
    row.put("notedAt", EventRows.text(view.notedAt()));
    row.put("sources", String.join(", ", sources.stream().map(ConsumedSource::source).toList()));
    row.put("lag", sum(sources, ConsumedSource::lag));
    row.put("deadLetters", sum(sources, ConsumedSource::deadLetters));
    row.put("deferred", Math.min(view.deferred(), MOST_COUNTED));
    row.put("more", view.deferred() > MOST_COUNTED);
    row.put("behind", view.behind());
    row.put("givenUp", view.givenUp());
    row.put("since", EventRows.text(view.since()));
    row.put("nextEventId", next == null ? null : next.eventId());
    row.put("nextEventType", next == null ? null : next.eventType());
    row.put("nextSource", next == null ? null : next.source());
    row.put("nextAttempts", next == null ? null : next.attempts());
    row.put("nextAttemptAt", next == null ? null : next.dueAt().toString());
    row.put("failure", next == null ? null : next.failure());
    return row;
  }
}
