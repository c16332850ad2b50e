package io.waybill.server.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** What people type, for the help of each command. */
final class HelpExamples {
  private static final Map<String, List<String>> EXAMPLES =
      Map.ofEntries(
          of("relay", "relay --config waybill.yaml"),
          of("api", "api --config waybill.yaml"),
          of("console", "console --config waybill.yaml"),
          of(
              "users add",
              "users add alice --role operator --file users",
              "users add grafana --role viewer@orders --generate --file users"),
          of(
              "schema print",
              "schema print --schema public > tables.sql",
              "schema print --schema public --grants writer,relay,operator,reader"),
          of("schema apply", "schema apply --config as-owner.yaml", "schema apply --inbox"),
          of("schema check", "schema check"),
          of("schema empty", "schema empty", "schema empty --yes --reason 'stage reset'"),
          of(
              "status",
              "status",
              "status --count --json",
              "status --watch --url https://ops.example/waybill --token-file token"),
          of("storage", "storage", "storage --json"),
          of("history", "history", "history --newer-than 24h --step hour --destination orders"),
          of(
              "events list",
              "events list --state parked --error record-too-large",
              "events list --newer-than 1h --newest-first"),
          of("events count", "events count --state pending --type order.placed"),
          of("events show", "events show order-42-placed"),
          of(
              "events retry",
              "events retry --state parked --destination orders",
              "events retry --state parked --yes --reason 'ticket 7' --wait=5m"),
          of("events skip", "events skip order-42-placed --yes --reason 'ticket 7' --wait"),
          of("events park", "events park --key order/42 --yes --reason 'ticket 7'"),
          of("events bury", "events bury order-42-placed --yes --reason 'ticket 7'"),
          of("events replay", "events replay --type order.placed --newer-than 2h"),
          of(
              "events correct",
              "events correct order-42-placed --payload-file right.json",
              "events correct order-42 --type placed --yes --reason 'ticket 7'"),
          of(
              "events purge",
              "events purge --older-than 720h",
              "events purge --older-than 720h --yes --reason 'monthly'"),
          of("failures list", "failures list", "failures list --state parked --json"),
          of("failures note", "failures note GROUP --text 'waits for the limit; ticket 7'"),
          of(
              "failures retry",
              "failures retry GROUP",
              "failures retry GROUP --canary 5 --rate 200 --yes --reason 'fixed'"),
          of("jobs list", "jobs list", "jobs list --limit 100 --json"),
          of("jobs show", "jobs show 123", "jobs show 123 --outcome failed --json"),
          of("jobs run", "jobs run 123", "jobs run 123 --yes --reason 'fixed'"),
          of("jobs pause", "jobs pause 123", "jobs pause 123 --json"),
          of("jobs resume", "jobs resume 123", "jobs resume 123 --json"),
          of("jobs cancel", "jobs cancel 123", "jobs cancel 123 --json"),
          of("keys blocked", "keys blocked", "keys blocked --limit 1000 --json"),
          of("relays", "relays --json"),
          of("destinations list", "destinations list"),
          of("destinations pause", "destinations pause orders --yes --reason 'ticket 7'"),
          of("destinations resume", "destinations resume orders --yes --reason 'ticket 7'"),
          of(
              "destinations declare",
              "destinations declare",
              "destinations declare orders --partitions 6 --yes --reason 'ticket 7'",
              "destinations declare shop/order.placed --queue billing"),
          of("audit", "audit --limit 20"),
          of("consumers", "consumers --json"),
          of("dead-letters list", "dead-letters list orders --consumer payment --newer-than 1h"),
          of("dead-letters show", "dead-letters show orders order-42-placed"),
          of(
              "dead-letters redrive",
              "dead-letters redrive orders --error SQLTransientException",
              "dead-letters redrive orders --type order.placed --yes --reason 'fixed'"),
          of("doctor", "doctor --config waybill.yaml"),
          of("config check", "config check --json"),
          of("config print", "config print --config waybill.yaml"),
          of("generate-completion", "generate-completion > waybill-completion.sh"),
          of("demo", "demo"));

  private HelpExamples() {}

  private static Map.Entry<String, List<String>> of(String command, String... lines) {
    return Map.entry(command, List.of(lines));
  }

  /** The examples of a command, by its name without that of the program. */
  static List<String> of(String command) {
    return EXAMPLES.getOrDefault(command, List.of());
  }

  /** Puts them before what all helps end with. */
  static void into(CommandLine line) {
    put(line, "");
  }

  private static void put(CommandLine line, String name) {
    List<String> examples = of(name);
    if (!examples.isEmpty()) {
      List<String> footer = new ArrayList<>(List.of("", "Examples:"));
      examples.forEach(example -> footer.add("  waybill " + example));
      footer.addAll(Arrays.asList(line.getCommandSpec().usageMessage().footer()));
      line.getCommandSpec().usageMessage().footer(footer.toArray(String[]::new));
    }
    line.getSubcommands()
        .forEach((sub, below) -> put(below, name.isEmpty() ? sub : name + " " + sub));
  }
}
