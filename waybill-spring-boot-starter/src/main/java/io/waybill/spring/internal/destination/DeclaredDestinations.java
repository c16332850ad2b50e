package io.waybill.spring.internal.destination;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditNote;
import io.waybill.admin.Instruction;
import io.waybill.broker.Broker;
import io.waybill.broker.DestinationDeclaration;
import io.waybill.broker.DestinationDeclaration.Part;
import io.waybill.broker.DestinationDeclaration.State;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.route.TransportRules;
import io.waybill.store.FailingDestination;
import io.waybill.store.StoreException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks what destinations lack, or declares it: one after the other, each with its entry in the
 * audit. For one run, by one thread.
 */
public final class DeclaredDestinations {
  private static final String VERB = "DECLARE";
  // Of the audit's column on MySQL and MariaDB.
  private static final int MOST_CHARACTERS = 255;
  // Of a name at RabbitMQ.
  private static final int MOST_BYTES = 255;

  private final Admin admin;
  private final Transport transport;
  private final RoutedNames routed;
  private final DestinationDeclaration declaration;
  private final List<String> names;
  private final @Nullable String queue;
  private final Map<String, String> failing = new TreeMap<>();
  private final List<DeclaredPart> parts = new ArrayList<>();
  private boolean lacksQueue;
  private boolean silent;
  private @Nullable String failure;

  /**
   * A part of a destination.
   *
   * @param destination its name
   * @param part kind and name of the part, as in {@code topic orders}
   * @param state how it stands
   * @param detail its settings, or what the broker said
   * @param failure why the destination takes no events now, or null
   */
  public record DeclaredPart(
      String destination, String part, State state, String detail, @Nullable String failure) {}

  /**
   * What was found or done.
   *
   * @param transport the kind of the broker
   * @param parts of all destinations that were meant; after a failure of those before it
   * @param lacksQueue whether a queue could be bound, and none was named
   * @param silent whether the broker did not answer
   * @param failure why it ended before all was done, or null
   */
  public record Result(
      Transport transport,
      List<DeclaredPart> parts,
      boolean lacksQueue,
      boolean silent,
      @Nullable String failure) {
    /** Copies the list. */
    public Result {
      parts = List.copyOf(parts);
    }

    /** Whether a part is in that state. */
    public boolean has(State state) {
      return DeclaredDestinations.has(parts, state);
    }
  }

  /**
   * Prepares it; connects to nothing.
   *
   * @param broker where it is declared
   * @param routed the destinations of the outbox
   * @param admin the outbox
   * @param asked what is meant
   * @throws IllegalArgumentException if a setting or the queue's name is wrong
   */
  public DeclaredDestinations(Broker broker, RoutedNames routed, Admin admin, Declaration asked) {
    this.admin = admin;
    this.transport = broker.transport();
    this.routed = routed;
    this.declaration =
        broker
            .declaration(asked.settings())
            .orElseThrow(() -> new IllegalArgumentException("the broker declares nothing"));
    this.names = asked.names();
    this.queue = asked.queue();
    requireName();
  }

  private void requireName() {
    if (queue == null) {
      return;
    }
    if (transport != Transport.RABBITMQ) {
      throw new IllegalArgumentException("Kafka has topics alone: go without a queue");
    }
    if (queue.isBlank() || queue.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "queue must be a name of 1 to 255 bytes, but is '" + queue + "'");
    }
  }

  /**
   * Does it.
   *
   * @param by who declares and why, or null to look only
   * @throws DestinationNameException if a name is not one of the routes', or takes no queue
   */
  public Result run(@Nullable Instruction by) {
    List<Destination> meant =
        names.isEmpty() ? routed.all() : names.stream().map(routed::named).distinct().toList();
    requireQueueHasItsPlace(meant, names.isEmpty());
    for (FailingDestination each :
        admin.sessions().stream().flatMap(relay -> relay.failing().stream()).toList()) {
      failing.put(each.destination(), each.reason());
    }
    for (Destination each : meant) {
      one(each, by);
      if (failure != null) {
        break;
      }
    }
    return new Result(transport, parts, lacksQueue, silent, failure);
  }

  /** A queue that is bound to every destination by mistake gets the dead letters, too. */
  private void requireQueueHasItsPlace(List<Destination> meant, boolean all) {
    long places = meant.stream().filter(DeclaredDestinations::takesQueue).count();
    if (queue != null && (places == 0 || (all && places > 1))) {
      throw new DestinationNameException(
          "The queue needs the name of a destination with an exchange and a known routing key: the"
              + " routes name "
              + String.join(", ", routed.templates()));
    }
  }

  private static boolean takesQueue(Destination template) {
    return !template.target().isEmpty()
        && !RoutedNames.depends(template.target())
        && !RoutedNames.depends(template.routingKey());
  }

  private void one(Destination template, @Nullable Instruction by) {
    boolean anyKey = RoutedNames.depends(template.routingKey());
    if (RoutedNames.depends(template.target()) || (template.target().isEmpty() && anyKey)) {
      add(template.name(), List.of(dependent(template)));
      return;
    }
    Destination destination =
        new Destination(
            RoutedNames.text(template.target()), RoutedNames.text(template.routingKey()), null);
    String name = destination.name();
    String place = takesQueue(template) ? queue : null;
    try {
      List<DeclaredPart> found = add(name, parts(destination, place, by != null));
      lacksQueue |= place == null && takesQueue(template) && transport == Transport.RABBITMQ;
      // What was left as it is needs no entry.
      if (has(found, State.DECLARED) || has(found, State.REFUSED)) {
        note(name, found, !has(found, State.REFUSED), by);
      }
    } catch (UncheckedIOException e) {
      silent = true;
      failure = String.valueOf(e.getMessage());
      note(name, add(name, List.of(new Part("broker", State.UNKNOWN, failure))), false, by);
    }
  }

  private List<Part> parts(Destination destination, @Nullable String place, boolean declare) {
    String violation = TransportRules.violation(transport, destination);
    if (violation != null) {
      return List.of(new Part("name", State.REFUSED, violation));
    }
    return declare ? declaration.declare(destination, place) : declaration.look(destination, place);
  }

  private Part dependent(Destination template) {
    String known =
        failing.keySet().stream()
            .filter(name -> RoutedNames.matches(template.name(), name))
            .collect(Collectors.joining(", "));
    return new Part(
        "name",
        State.UNKNOWN,
        "it depends on the event: say which"
            + (known.isEmpty() ? "" : ", for example what takes no events now: " + known));
  }

  private List<DeclaredPart> add(String name, List<Part> found) {
    List<DeclaredPart> added =
        found.stream()
            .map(
                part ->
                    new DeclaredPart(
                        name, part.name(), part.state(), part.detail(), failing.get(name)))
            .toList();
    parts.addAll(added);
    return added;
  }

  private void note(String name, List<DeclaredPart> found, boolean done, @Nullable Instruction by) {
    if (by == null) {
      return;
    }
    String text =
        found.stream()
            .map(part -> "%s %s: %s".formatted(part.part(), part.state(), part.detail()))
            .collect(Collectors.joining("; "));
    String kept = name.substring(0, Math.min(name.length(), MOST_CHARACTERS));
    try {
      admin.record(new AuditNote(VERB, null, kept, done, text), by);
    } catch (StoreException e) {
      failure =
          "%s%s: the audit could not be written: %s"
              .formatted(failure == null ? "" : failure + "; ", name, e.getMessage());
    }
  }

  private static boolean has(List<DeclaredPart> parts, State state) {
    return parts.stream().anyMatch(part -> part.state() == state);
  }
}
