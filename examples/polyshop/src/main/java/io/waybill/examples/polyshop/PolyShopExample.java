package io.waybill.examples.polyshop;

import io.waybill.proof.Interrupts;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code ./waybill example polyshop}. */
@Command(
    name = "waybill example polyshop",
    description = {
      "Takes orders over HTTP, publishes their events to a real Kafka, and compares the committed",
      "orders with what a consumer received. The environment variables BATCH_SIZE, IDLE_SLEEP_MS",
      "and RETRY_SLEEP_MS set the publisher."
    },
    footer = {"", "Exit codes: 0 nothing lost or invented; 1 otherwise; 2 wrong usage."},
    mixinStandardHelpOptions = true)
public final class PolyShopExample implements Callable<Integer> {
  private static final int MOST_ORDERS = 100_000;
  private static final int PARTITIONS = 4;
  private static final String DATABASE = "orders";
  private static final String TOPIC = DomainEventFactory.ORDER_PLACED;

  private final PrintStream out;
  private final Interrupts interrupts;
  private final Map<String, String> environment;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--orders",
      paramLabel = "N",
      description = "Requests to send (default: ${DEFAULT-VALUE}).")
  private int orders = 1_000;

  @Option(names = "--keep", description = "Go on serving in the end, until Ctrl-C.")
  private boolean keep;

  PolyShopExample(PrintStream out, Interrupts interrupts, Map<String, String> environment) {
    this.out = out;
    this.interrupts = interrupts;
    this.environment = environment;
  }

  /**
   * Runs the example.
   *
   * @param args options
   */
  public static void main(String[] args) {
    // A name of its own: examples that stand on this one have another logback.xml.
    System.setProperty("logback.configurationFile", "polyshop-logback.xml");
    Interrupts interrupts = new Interrupts();
    interrupts.listen();
    PolyShopExample example = new PolyShopExample(System.out, interrupts, System.getenv());
    System.exit(new CommandLine(example).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    if (orders < 1 || orders > MOST_ORDERS) {
      throw new ParameterException(
          spec.commandLine(), "--orders must be from 1 to " + MOST_ORDERS + ", but is " + orders);
    }
    PublisherSettings settings = settings();
    say("starting PostgreSQL and Kafka");
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch()) {
      postgres.createDatabase(DATABASE);
      DataSource database = postgres.dataSource(DATABASE);
      OrderService.createTables(database);
      kafka.createTopic(TOPIC, PARTITIONS, Map.of());
      kafka.createTopic(TOPIC + ".dlt", 1, Map.of());
      return run(database, kafka.bootstrapServers(), settings).clean() ? 0 : 1;
    }
  }

  private PublisherSettings settings() {
    try {
      return PublisherSettings.of("order-service", environment);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage());
    }
  }

  private Reconciliation run(DataSource database, String bootstrap, PublisherSettings settings)
      throws Exception {
    OrderService service = new OrderService(database, new OutboxEventRepository());
    try (KafkaTail consumer = new KafkaTail(bootstrap, List.of(TOPIC));
        OrderApi api = OrderApi.start(service, 0);
        OutboxPublisher publisher = OutboxPublisher.start(settings, database, bootstrap)) {
      Customers.Outcome outcome = new Customers(api.port()).order(orders, interrupts::asked);
      say("%,d orders created, %,d requests refused", outcome.created(), outcome.refused());
      say("a refusal: %s", outcome.example());
      Arrivals.await(consumer, service.totals().size(), out);
      consumer.messages().stream().limit(1).forEach(first -> say("an event: %s", first.value()));
      if (keep && !interrupts.asked()) {
        keepServing(api.port());
        Arrivals.await(consumer, service.totals().size(), out);
      }
      publisher.stop();
      Reconciliation result = Reconciliation.of(service.totals(), consumer.messages());
      say("%s", result);
      return result;
    }
  }

  private void keepServing(int port) throws InterruptedException {
    say(
        """
        Serving until Ctrl-C. Try:
          curl -i http://127.0.0.1:%d/orders -H 'Content-Type: application/json' \\
            -d '{"userId": "me", "items": [{"productId": "book", "quantity": 1, "unitPrice": 9.99}]}'""",
        port);
    interrupts.await();
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
