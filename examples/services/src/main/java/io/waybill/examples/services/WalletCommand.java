package io.waybill.examples.services;

import io.waybill.examples.services.wallet.WalletApplication;
import io.waybill.proof.Interrupts;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;

/** {@code ./waybill example services wallet}. */
@Command(
    name = "wallet",
    description = "A wallet with JPA: four use cases, table outbox, topics <eventType>-out-0.",
    mixinStandardHelpOptions = true)
final class WalletCommand extends ServiceCommand {
  WalletCommand(PrintStream out, Interrupts interrupts) {
    super(out, interrupts);
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
    return List.of(run(WalletApplication.class, "wallet", WebApplicationType.SERVLET, properties));
  }
}
