package io.waybill.browser;

import com.microsoft.playwright.Locator;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.server.RabbitServer;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** What goes wrong in a night with RabbitMQ. */
final class RabbitFaults implements AutoCloseable {
  private static final int ROOM = 5;

  private final RabbitServer rabbit = RabbitServer.launch();
  private final Night night;

  RabbitFaults() throws Exception {
    try (Connection connection = connect();
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare("shop", "topic", true);
      bind(channel, "orders", Map.of());
      bind(channel, "parcels", Map.of("x-max-length", ROOM, "x-overflow", "reject-publish"));
    }
    night =
        new Night(
            """
            rabbitmq:
              addresses: ["127.0.0.1:%d"]
              username: guest
              password: ${RABBIT}
            """
                .formatted(rabbit.port()),
            """
            routes:
              default: {target: shop, routing-key: orders}
              types:
                invoiced: {target: shop, routing-key: invoices}
                packed: {target: shop, routing-key: parcels}
            """);
    night.insert("placed", 50);
  }

  private static void bind(Channel channel, String queue, Map<String, Object> arguments)
      throws Exception {
    channel.queueDeclare(queue, true, false, false, arguments);
    channel.queueBind(queue, "shop", queue);
  }

  private Connection connect() throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(URI.create(rabbit.uri()));
    return factory.newConnection("shop");
  }

  Night night() {
    return night;
  }

  List<Fault> all() {
    return List.of(new MissingBinding(), new FullQueue());
  }

  /** Events of a route without a queue. */
  private final class MissingBinding implements Fault {
    private static final String BOX = "Destination shop/invoices takes no events";

    @Override
    public String name() {
      return "missing binding";
    }

    @Override
    public void happen() throws Exception {
      night.insert("invoiced", 20);
    }

    @Override
    public void find(Person person) {
      person.see(person.box(BOX), "unroutable", "Declare what is missing");
    }

    @Override
    public void repair(Person person) {
      person.click(person.box(BOX), "Declare");
      person.write("the queue to bind", "invoices");
      person.write("Why", "ticket 13");
      person.click("Declare");
      person.see("EXISTS");
      person.go("Overview");
      person.see("What is wrong now");
      person.seeGone(person.box(BOX));
    }
  }

  /** A queue that nobody reads, and that takes no more. */
  private final class FullQueue implements Fault {
    private static final String BOX = "Destination shop/parcels takes no events";

    @Override
    public String name() {
      return "full queue";
    }

    @Override
    public void happen() throws Exception {
      night.insert("packed", 4 * ROOM);
    }

    @Override
    public void find(Person person) {
      person.see(person.box(BOX), "nacked", "let a consumer read it, or raise its limit");
    }

    /** The remedy is not the console's: the consumer begins to read. */
    @Override
    public void repair(Person person) throws Exception {
      Locator box = person.box(BOX);
      try (Connection connection = connect()) {
        connection.createChannel().basicConsume("parcels", true, (tag, message) -> {}, tag -> {});
        person.seeGone(box);
      }
    }
  }

  @Override
  public void close() {
    night.close();
    rabbit.close();
  }
}
