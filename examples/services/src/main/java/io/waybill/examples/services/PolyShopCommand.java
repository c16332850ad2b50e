package io.waybill.examples.services;

import io.waybill.examples.services.inventory.InventoryApplication;
import io.waybill.examples.services.order.OrderApplication;
import io.waybill.proof.Interrupts;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;

/** {@code ./waybill example services polyshop}. */
@Command(
    name = "polyshop",
    description = {
      "PolyShop's order service, which publishes order.order.placed.v1, and its inventory service,",
      "which takes what was ordered from the stock."
    },
    mixinStandardHelpOptions = true)
final class PolyShopCommand extends ServiceCommand {
  PolyShopCommand(PrintStream out, Interrupts interrupts) {
    super(out, interrupts);
  }

  @Override
  Broker launchBroker() {
    return KafkaBroker.launch(List.of("order.order.placed.v1"));
  }

  @Override
  SampleRequest request() {
    return new SampleRequest(
        "/orders",
        "{\"userId\": \"me\", \"items\": [{\"productId\": \"book\", \"quantity\": 1, \"unitPrice\": 9.99}]}");
  }

  @Override
  List<ConfigurableApplicationContext> start(ExampleServers servers, int servedAt) {
    Map<String, Object> orders = servers.properties("orders");
    orders.put("server.port", servedAt);
    return List.of(
        run(OrderApplication.class, "order", WebApplicationType.SERVLET, orders),
        run(
            InventoryApplication.class,
            "inventory",
            WebApplicationType.NONE,
            servers.properties("inventory")));
  }
}
