package io.waybill.spring.internal.api;

import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.jdbc.operator.InboxAdmin.ConsumerView;
import io.waybill.internal.jdbc.operator.InboxAdmin.Deferred;
import io.waybill.message.Transport;
import io.waybill.spring.internal.consumers.ConsumedSource;
import io.waybill.spring.internal.consumers.DeadLetterSearch;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of operations about consumers. */
public final class ConsumerAnswers {
  private ConsumerAnswers() {}

  /**
   * A consumer.
   *
   * @param lanes partitions or queues of which it has noted how far it is
   * @param deferred events that wait in its table
   * @param behind how many of them wait behind others of their key
   * @param givenUp how many of them wait for the confirmation of their dead letter
   * @param sources its topics or queues
   */
  public record Consumer(
      String consumer,
      int lanes,
      @Nullable Instant notedAt,
      Answers.Count deferred,
      long behind,
      long givenUp,
      @Nullable Instant since,
      @Nullable Deferred next,
      List<ConsumedSource> sources) {
    static Consumer of(ConsumerView view, List<ConsumedSource> sources, int most) {
      return new Consumer(
          view.consumer(),
          view.doneBefore().size(),
          view.notedAt(),
          Answers.Count.of(view.deferred(), most),
          view.behind(),
          view.givenUp(),
          view.since(),
          view.next(),
          sources);
    }
  }

  /**
   * Consumers.
   *
   * @param transport the kind of the broker; null if the configuration does not say where it is
   * @param problem why lag and dead letters are not told, or null
   */
  public record Consumers(
      @Nullable Transport transport,
      List<Consumer> items,
      @Nullable String problem,
      @Nullable String next) {}

  /**
   * A dead letter, without payload and headers.
   *
   * @param redriven how often it was sent again
   * @param readable whether it has its original
   * @param missing known facts of an original that it lacks, or null
   */
  public record DeadLetterSummary(
      @Nullable String eventId,
      @Nullable String eventType,
      @Nullable String key,
      @Nullable String consumer,
      Instant failedAt,
      @Nullable String reason,
      @Nullable String error,
      int redriven,
      String source,
      String place,
      boolean readable,
      @Nullable String contentType,
      DeadLetter.@Nullable Missing missing) {
    static DeadLetterSummary of(DeadLetterSearch letters, DeadLetter letter) {
      DeadLetter.Original original = letter.original();
      return new DeadLetterSummary(
          letter.eventId(),
          letter.eventType(),
          letter.key(),
          letter.consumer(),
          letter.time(),
          letter.reason(),
          letter.error(),
          letter.redriven() + (letters.wasRedriven(letter) ? 1 : 0),
          letter.source(),
          letter.place(),
          original != null,
          original == null ? null : original.contentType(),
          letter.missing());
    }
  }

  /**
   * Dead letters.
   *
   * @param more whether there are more, or may be
   * @param next what to give as {@code after}; null without more, and of a queue
   */
  public record DeadLetters(List<DeadLetterSummary> items, boolean more, @Nullable String next) {}
}
