package io.waybill.server.destination;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditNote;
import io.waybill.admin.Instruction;
import io.waybill.broker.DestinationDeclaration;
import io.waybill.broker.DestinationDeclaration.Part;
import io.waybill.broker.DestinationDeclaration.State;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.route.TransportRules;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.config.Printable;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import io.waybill.store.FailingDestination;
import io.waybill.store.StoreException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Looks what destinations lack, or declares it: one after the other, each with its entry in the
 * audit.
 */
public final class DeclaredDestinations {
  private static final String VERB = "DECLARE";
  // Of the audit's column on MySQL and MariaDB.
  private static final int MOST_CHARACTERS = 255;

  private static final String FLOWS =
      "Events that wait for what was declared flow by themselves within seconds.";

  private final Admin admin;
  private final Transport transport;
  private final RoutedNames routed;
  private final DestinationDeclaration declaration;
  private final @Nullable String queue;
  private final Map<String, String> failing = new TreeMap<>();
  private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
  private final List<Part> parts = new ArrayList<>();
  private boolean queueIsMissing;
  private boolean silent;
  private @Nullable String failure;

  /**
   * Prepares it; connects to nothing.
   *
   * @param outbox whose routes lead to the destinations
   * @param admin the outbox
   * @param options how it is declared
   */
  public DeclaredDestinations(StandaloneOutbox outbox, Admin admin, DeclareOptions options) {
    this.admin = admin;
    this.transport = outbox.transport();
    this.routed = new RoutedNames(outbox);
    this.declaration = options.declaration(outbox.broker());
    this.queue = options.queue();
  }

  /**
   * Does it.
   *
   * @param names names of destinations, none for those of all routes
   * @param by who declares and why, or null to look only
   * @param output where the result goes
   * @return exit code
   */
  public int run(List<String> names, @Nullable Instruction by, Output output) {
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
    tell(output, by == null);
    return code(by == null);
  }

  /** A queue that is bound to every destination by mistake gets the dead letters, too. */
  private void requireQueueHasItsPlace(List<Destination> meant, boolean all) {
    long places = meant.stream().filter(DeclaredDestinations::takesQueue).count();
    if (queue != null && (places == 0 || (all && places > 1))) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--queue needs the NAME of a destination with an exchange and a known routing key: the"
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
      List<Part> found = parts(destination, place, by != null);
      queueIsMissing |= place == null && takesQueue(template) && transport == Transport.RABBITMQ;
      add(name, found);
      // What was left as it is needs no entry.
      if (has(found, State.DECLARED) || has(found, State.REFUSED)) {
        note(name, found, !has(found, State.REFUSED), by);
      }
    } catch (UncheckedIOException e) {
      silent = true;
      failure = String.valueOf(e.getMessage());
      List<Part> nothing = List.of(new Part("broker", State.UNKNOWN, failure));
      add(name, nothing);
      note(name, nothing, false, by);
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

  private void add(String name, List<Part> found) {
    parts.addAll(found);
    for (Part part : found) {
      Map<String, @Nullable Object> row = new LinkedHashMap<>();
      row.put("destination", name);
      row.put("part", part.name());
      row.put("state", part.state().name());
      row.put("detail", Printable.line(part.detail()));
      row.put("failure", failing.get(name));
      rows.add(row);
    }
  }

  private void note(String name, List<Part> found, boolean done, @Nullable Instruction by) {
    if (by == null) {
      return;
    }
    String text =
        found.stream()
            .map(part -> "%s %s: %s".formatted(part.name(), part.state(), part.detail()))
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

  private static boolean has(List<Part> parts, State state) {
    return parts.stream().anyMatch(part -> part.state() == state);
  }

  private int code(boolean dryRun) {
    if (silent) {
      return ExitCode.UNREACHABLE;
    }
    boolean lacking = has(parts, State.REFUSED) || (!dryRun && has(parts, State.MISSING));
    return failure != null || lacking ? ExitCode.FINDINGS : ExitCode.OK;
  }

  private String planned() {
    return has(parts, State.MISSING) || (queue != null && has(parts, State.UNKNOWN))
        ? "Nothing was changed. Add --yes and --reason to declare what is not there."
        : "Nothing is missing, as far as can be seen.";
  }

  private void tell(Output output, boolean dryRun) {
    if (output.json()) {
      Map<String, @Nullable Object> result = new LinkedHashMap<>();
      result.put("verb", "declare");
      result.put("dryRun", dryRun);
      result.put("parts", rows);
      result.put("failure", failure);
      output.object(result);
      return;
    }
    output.rows(rows, "No route names a destination.");
    if (failure != null) {
      output.line("Failed: " + Printable.line(failure));
    }
    if (queueIsMissing) {
      output.line("Name the queue to bind with --queue, and its destination.");
    }
    output.line(dryRun ? planned() : has(parts, State.DECLARED) ? FLOWS : "Nothing was declared.");
  }
}
