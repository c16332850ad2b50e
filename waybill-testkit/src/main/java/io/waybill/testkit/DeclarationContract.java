package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.broker.DestinationDeclaration;
import io.waybill.broker.DestinationDeclaration.Part;
import io.waybill.broker.DestinationDeclaration.State;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import java.io.UncheckedIOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What every {@link DestinationDeclaration} has to keep, on a real broker. */
public abstract class DeclarationContract {
  private static final String REJECTED_NAME = "refused";

  /** For subclasses. */
  protected DeclarationContract() {}

  /**
   * The declaration under test, with its default settings.
   *
   * @return for the broker that runs
   */
  protected abstract DestinationDeclaration declaration();

  /**
   * The same for an address at which nobody answers.
   *
   * @return not connected
   */
  protected abstract DestinationDeclaration silent();

  /**
   * The same for a user whom the broker lets do nothing.
   *
   * @return for the broker that runs
   */
  protected abstract DestinationDeclaration powerless();

  /**
   * Creates a publisher for the broker that runs.
   *
   * @return a publisher, not started
   */
  protected abstract Publisher publisher();

  /**
   * A destination that the broker does not have.
   *
   * @param name name that no other test uses
   * @return destination
   */
  protected abstract Destination absent(String name);

  /**
   * The queue that is to take a destination's events.
   *
   * @param destination the destination
   * @return name of a queue that is not there, or null on a broker without queues
   */
  protected abstract @Nullable String queue(Destination destination);

  @Test
  void aLookChangesNothing() {
    Destination destination = absent("looked-at");
    List<Part> first = declaration().look(destination, queue(destination));
    assertThat(first).isNotEmpty().extracting(Part::state).containsOnly(State.MISSING);
    assertThat(declaration().look(destination, queue(destination))).isEqualTo(first);
  }

  /** To the publisher that was refused before. */
  @Test
  void eventsFlowAsSoonAsWhatIsMissingWasDeclared() {
    Destination destination = absent("declared");
    PublisherRecorder recorder = new PublisherRecorder();
    try (Publisher publisher = publisher()) {
      ContractSender sender = new ContractSender(publisher, recorder);
      publisher.start(recorder);
      long refused = sender.send(sender.numbered(destination, "k", 1));
      publisher.flush();
      sender.awaitOutcomes(List.of(refused));
      assertThat(recorder.confirmed(refused)).isFalse();

      assertThat(declaration().declare(destination, queue(destination)))
          .isNotEmpty()
          .extracting(Part::state)
          .containsOnly(State.DECLARED);
      sender.sendUntilConfirmed(destination, "k", 1);
    }
  }

  @Test
  void whatIsThereStaysAsItIs() {
    Destination destination = absent("twice");
    String queue = queue(destination);
    List<Part> first = declaration().declare(destination, queue);
    List<Part> second = declaration().declare(destination, queue);
    assertThat(second).extracting(Part::name).isEqualTo(first.stream().map(Part::name).toList());
    assertThat(second.get(0).state()).isEqualTo(State.EXISTS);
    assertThat(second).extracting(Part::state).doesNotContain(State.REFUSED, State.MISSING);
    assertThat(declaration().look(destination, queue).get(0).state()).isEqualTo(State.EXISTS);
  }

  @Test
  void whatTheBrokerRefusesIsToldWithItsReasonAndNothingElseIsTried() {
    Destination destination = absent(REJECTED_NAME);
    String queue = queue(destination);
    assertThat(powerless().declare(destination, queue))
        .noneMatch(part -> part.state() == State.DECLARED)
        .anySatisfy(
            part -> {
              assertThat(part.state()).isEqualTo(State.REFUSED);
              assertThat(part.name()).contains(REJECTED_NAME);
              assertThat(part.detail()).contains("the user needs");
            });
    assertThat(declaration().look(destination, queue))
        .extracting(Part::state)
        .containsOnly(State.MISSING);
  }

  @Test
  void aBrokerThatDoesNotAnswerIsNoMissingDestination() {
    Destination destination = absent("silent");
    assertThatThrownBy(() -> silent().look(destination, queue(destination)))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("does not answer");
    assertThatThrownBy(() -> silent().declare(destination, queue(destination)))
        .isInstanceOf(UncheckedIOException.class);
  }
}
