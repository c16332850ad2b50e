package io.waybill.bench.rival.spring;

import io.waybill.bench.child.SteadyLoad;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A running application.
 *
 * @param context of the application
 * @param write writes an event of a key with a payload, within a transaction
 */
public record SpringRelay(ConfigurableApplicationContext context, BiConsumer<String, String> write)
    implements Rival.Running {
  /**
   * Starts an application, which finds the topic as {@code relay.topic} and the deliveries as a
   * bean.
   *
   * @param application its class
   * @param task database, broker and destination
   * @param settings properties of the rival
   * @param deliveries told of every event that the broker has confirmed
   * @return its context
   */
  public static ConfigurableApplicationContext start(
      Class<?> application, Rival.Task task, Map<String, String> settings, Deliveries deliveries) {
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    Map<String, Object> properties = new TreeMap<>(settings);
    properties.put("spring.datasource.url", task.database());
    properties.put("spring.kafka.bootstrap-servers", task.broker());
    properties.put("spring.kafka.producer.acks", "all");
    properties.put("relay.topic", task.topic());
    properties.put("spring.main.banner-mode", "off");
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .initializers(c -> c.getBeanFactory().registerSingleton("deliveries", deliveries))
        .properties(properties)
        .run();
  }

  @Override
  public SteadyLoad.Append append() {
    TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
    return (key, body) ->
        transaction.executeWithoutResult(
            status -> write.accept(key, new String(body, StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    context.close();
  }
}
