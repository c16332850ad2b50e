package io.waybill.spring.cloudstream;

import io.waybill.proof.server.RabbitServer;
import io.waybill.spring.RelayBroker;
import io.waybill.testkit.ContractBroker;
import io.waybill.testkit.PublisherContract;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.springframework.context.ConfigurableApplicationContext;

/** The publisher's contract, through RabbitMQ's binder. */
@Tag("server")
@Tag("long")
class CloudStreamRabbitContractTest extends PublisherContract {
  private static final String PRODUCER = "spring.cloud.stream.rabbit.default.producer.";
  private static RabbitServer server;
  private static ConfigurableApplicationContext context;

  @BeforeAll
  static void launch() {
    // A thread of Spring's throws when the broker closes a channel while it waits for confirms.
    Awaitility.doNotCatchUncaughtExceptionsByDefault();
    server = RabbitServer.launch();
    context =
        BinderApplication.run(
            "rabbit",
            Stream.concat(
                    BinderApplication.PUBLISHER_ALONE.stream(),
                    Stream.of(
                        "spring.rabbitmq.addresses=" + server.uri(),
                        "spring.rabbitmq.publisher-confirm-type=correlated",
                        "spring.rabbitmq.publisher-returns=true",
                        PRODUCER + "use-confirm-header=true",
                        PRODUCER + "declare-exchange=false",
                        PRODUCER + "routing-key-expression=headers['waybill-routing-key']"))
                .toArray(String[]::new));
  }

  @AfterAll
  static void close() {
    context.close();
    server.close();
    Awaitility.reset();
  }

  @Override
  protected ContractBroker broker() {
    return new RabbitContractBroker(
        server, () -> context.getBean(RelayBroker.class).publisher(Duration.ofSeconds(4)));
  }
}
