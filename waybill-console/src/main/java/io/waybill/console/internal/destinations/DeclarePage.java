package io.waybill.console.internal.destinations;

import io.waybill.broker.DestinationDeclaration.State;
import io.waybill.console.internal.layout.Link;
import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.Reply;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.message.Transport;
import io.waybill.spring.internal.destination.DeclaredDestinations;

/** What destinations lack at the broker: looked at, then declared. */
public final class DeclarePage implements Page {
  /**
   * The page.
   *
   * @param destination name of one destination; empty for those of all routes
   * @param queue queue to bind, or empty
   * @param result as the API has it
   */
  public record Declare(String destination, String queue, DeclaredDestinations.Result result) {
    /** Whether something is missing that can be declared. */
    public boolean lacks() {
      return result.has(State.MISSING) || result.has(State.UNKNOWN);
    }

    /** Whether the broker has topics. */
    public boolean isKafka() {
      return result.transport() == Transport.KAFKA;
    }

    /** What the text beside a part is. */
    public static String said(State state) {
      return switch (state) {
        case EXISTS -> "As it is";
        case MISSING -> "Not there; as it would be declared";
        case UNKNOWN -> "Not known";
        case DECLARED -> "As it was declared";
        case REFUSED -> "Refused";
      };
    }
  }

  /** For the console. */
  public DeclarePage() {}

  @Override
  public String path() {
    return "declare";
  }

  @Override
  public View show(Visit visit) {
    return view(
        visit,
        visit.ask(
            "/destinations/declare",
            DeclaredDestinations.Result.class,
            "destination",
            visit.text("destination"),
            "queue",
            visit.text("queue")));
  }

  private static View view(Visit visit, DeclaredDestinations.Result result) {
    return new View(
        "destinations/declare.jte",
        "Declare destinations",
        new Declare(visit.text("destination"), visit.text("queue"), result));
  }

  @Override
  public Reply submit(Visit visit) {
    String destination = visit.text("destination");
    String queue = visit.text("queue");
    DeclaredDestinations.Result result =
        visit.change(
            "/destinations/declare",
            DeclaredDestinations.Result.class,
            "destination",
            destination,
            "queue",
            queue,
            "partitions",
            visit.text("partitions"),
            "replicationFactor",
            visit.text("replicationFactor"),
            "reason",
            visit.text("reason"));
    // Another look would not say what the broker has refused.
    return result.has(State.REFUSED) || result.failure() != null
        ? view(visit, result)
        : new Reply.Next(Link.to("declare", "destination", destination, "queue", queue));
  }
}
