package io.waybill.server.command;

import io.waybill.internal.encode.DeadLetter;
import io.waybill.spring.internal.consumers.DeadLetterFilter;
import io.waybill.spring.internal.consumers.DeadLetterSearch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which dead letters a command is about. All conditions have to hold. */
final class DeadLetterOptions {
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
    return DeadLetter.nameOf(source());
  }

  /** Where they come from. */
  String source() {
    return DeadLetter.sourceOf(source);
  }

  boolean despiteLimit() {
    return despiteLimit;
  }

  int limit() {
    return choice.limit();
  }

  DeadLetterSearch.Bounds bounds(boolean withRedriven) {
    return new DeadLetterSearch.Bounds(
        choice.limit(), withRedriven, despiteLimit, Integer.MAX_VALUE, null);
  }

  DeadLetterFilter filter() {
    Duration olderThan = choice.olderThan();
    Duration newerThan = choice.newerThan();
    return new DeadLetterFilter(
        ids,
        choice.type(),
        choice.key(),
        consumer,
        choice.error(),
        newerThan == null ? null : now.minus(newerThan),
        olderThan == null ? null : now.minus(olderThan));
  }
}
