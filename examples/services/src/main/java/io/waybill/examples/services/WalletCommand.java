package io.waybill.examples.services;

import io.waybill.database.DatabaseKind;
import io.waybill.examples.services.wallet.WalletApplication;
import io.waybill.proof.Interrupts;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./waybill example services wallet}. */
@Command(
    name = "wallet",
    description = "A wallet with JPA: four use cases, table outbox, topics <eventType>-out-0.",
    mixinStandardHelpOptions = true)
final class WalletCommand extends ServiceCommand {
  enum Database {
    postgresql,
    mariadb
  }

  @Option(
      names = "--database",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  private Database database = Database.postgresql;

  WalletCommand(PrintStream out, Interrupts interrupts) {
    super(out, interrupts);
  }

  @Override
  DatabaseKind database() {
    return database == Database.postgresql ? DatabaseKind.POSTGRESQL : DatabaseKind.MARIADB;
  }

  @Override
  Broker launchBroker() {
    return KafkaBroker.launch(
        List.of(
            "WalletCreatedEvent-out-0",
            "FundsAddedEvent-out-0",
            "FundsWithdrawnEvent-out-0",
            "FundsTransferredEvent-out-0"));
  }

  @Override
  SampleRequest request() {
    return new SampleRequest("/wallets", "{\"owner\": \"Ada\"}");
  }

  @Override
  List<ConfigurableApplicationContext> start(ExampleServers servers, int servedAt) {
    Map<String, Object> properties = servers.properties("wallet");
    properties.put("server.port", servedAt);
    if (database == Database.mariadb) {
      properties.put("spring.sql.init.platform", "mysql");
    }
    return List.of(run(WalletApplication.class, "wallet", WebApplicationType.SERVLET, properties));
  }
}
