package io.waybill.examples.eventoutbox;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.MariaDbServer;
import io.waybill.proof.server.PostgresServer;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The program {@code ./waybill example event-outbox}. */
@Command(
    name = "waybill example event-outbox",
    description = {
      "Creates the table event_outbox and its six views on a real database, writes events, carries",
      "them to a real Kafka, and prints the views."
    },
    footer = {
      "",
      "Exit codes: 0 what was due was sent and arrived once; 1 otherwise; 2 wrong usage."
    },
    mixinStandardHelpOptions = true)
public final class EventOutboxExample implements Callable<Integer> {
  private static final String NAME = "shop";
  private static final int PARTITIONS = 4;

  enum Database {
    postgresql,
    mariadb,
    both
  }

  private final PrintStream out;

  @Option(
      names = "--database",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Database database = Database.both;

  EventOutboxExample(PrintStream out) {
    this.out = out;
  }

  /**
   * Runs the example.
   *
   * @param args options
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new EventOutboxExample(System.out)).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    out.println("starting Kafka");
    boolean clean = true;
    try (KafkaServer kafka = KafkaServer.launch()) {
      for (Database one : List.of(Database.postgresql, Database.mariadb)) {
        if (database == one || database == Database.both) {
          out.println("starting " + one);
          clean &= run(one, kafka);
        }
      }
    }
    return clean ? 0 : 1;
  }

  private boolean run(Database one, KafkaServer kafka) throws Exception {
    String topic = one + "-orders-events";
    kafka.createTopic(topic, PARTITIONS, Map.of());
    if (one == Database.postgresql) {
      try (PostgresServer server = PostgresServer.launch()) {
        server.createDatabase(NAME);
        Shop shop = new Shop(server.dataSource(NAME), DatabaseKind.POSTGRESQL);
        return new EventOutboxRun(shop, kafka.bootstrapServers(), one + "-", out).run(topic);
      }
    }
    try (MariaDbServer server = MariaDbServer.launch()) {
      server.createDatabase(NAME);
      Shop shop = new Shop(server.dataSource(NAME), DatabaseKind.MARIADB);
      return new EventOutboxRun(shop, kafka.bootstrapServers(), one + "-", out).run(topic);
    }
  }
}
