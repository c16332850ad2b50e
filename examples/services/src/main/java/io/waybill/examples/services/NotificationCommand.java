package io.waybill.examples.services;

import io.waybill.examples.services.notification.NotificationApplication;
import io.waybill.proof.Interrupts;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Command;

/** {@code ./waybill example services notification}. */
@Command(
    name = "notification",
    description = {
      "Reservations that notify restaurants, customers, agencies and admins through RabbitMQ: tables",
      "event_outbox and processed_event, four listeners, a row for each person and channel."
    },
    mixinStandardHelpOptions = true)
final class NotificationCommand extends ServiceCommand {
  NotificationCommand(PrintStream out, Interrupts interrupts) {
    super(out, interrupts);
  }

  @Override
  Broker launchBroker() throws IOException {
    return RabbitBroker.launch(NotificationApplication.EXCHANGE, NotificationApplication.queues());
  }

  @Override
  String handled() {
    return ": notification.restaurant receive";
  }

  @Override
  SampleRequest request() {
    return new SampleRequest(
        "/reservations",
        "{\"restaurant_id\": 5, \"customer_name\": \"John\", \"party_size\": 4, \"time\": \"20:00\"}");
  }

  @Override
  List<ConfigurableApplicationContext> start(ExampleServers servers, int servedAt) {
    Map<String, Object> properties = servers.properties("restaurants");
    properties.put("server.port", servedAt);
    return List.of(
        run(NotificationApplication.class, "notification", WebApplicationType.SERVLET, properties));
  }
}
