package io.waybill.console.internal.deadletters;

import io.waybill.console.internal.layout.Visit;
import io.waybill.message.Transport;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.ConsumerAnswers;
import io.waybill.spring.internal.api.ConsumerAnswers.DeadLetterSummary;
import io.waybill.spring.internal.consumers.ConsumedSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A topic or queue with dead letters.
 *
 * @param source with the number of its dead letters
 * @param look whether they were read
 * @param first the first in the order of their places that was not sent again; null if there is
 *     none, or none was read
 */
public record LetterSource(ConsumedSource source, Look look, @Nullable DeadLetterSummary first) {
  /** Whether dead letters were read. */
  public enum Look {
    /** Up to the first that was not sent again. */
    READ,
    /** Up to a bound, at which all had been sent again. */
    IN_PART,
    /** Not at all. */
    NOT
  }

  /** Whether dead letters wait that nobody has sent again, as far as is known. */
  public boolean waits() {
    Long all = source.deadLetters();
    return all != null && all > 0 && (look != Look.READ || first != null);
  }

  /**
   * Topics and queues of known consumers.
   *
   * @param visit the request
   * @param consumers as the API has them
   * @param most of so many the first dead letter is read
   */
  public static List<LetterSource> of(Visit visit, ConsumerAnswers.Consumers consumers, int most) {
    List<LetterSource> all = new ArrayList<>();
    // A look at a queue counts as a delivery of what is in it: nobody does so by looking at a page.
    int left = consumers.transport() == Transport.KAFKA ? most : 0;
    for (ConsumedSource each :
        consumers.items().stream().flatMap(c -> c.sources().stream()).distinct().toList()) {
      boolean filled = each.deadLetters() != null && each.deadLetters() > 0;
      all.add(filled && left-- > 0 ? read(visit, each) : new LetterSource(each, Look.NOT, null));
    }
    return all;
  }

  private static LetterSource read(Visit visit, ConsumedSource source) {
    try {
      ConsumerAnswers.DeadLetters letters =
          visit.ask(
              "/dead-letters",
              ConsumerAnswers.DeadLetters.class,
              "source",
              source.source(),
              "redriven",
              "excluded",
              "limit",
              "1");
      return letters.items().isEmpty()
          ? new LetterSource(source, letters.more() ? Look.IN_PART : Look.READ, null)
          : new LetterSource(source, Look.READ, letters.items().get(0));
    } catch (ApiProblem away) {
      return new LetterSource(source, Look.NOT, null);
    }
  }
}
