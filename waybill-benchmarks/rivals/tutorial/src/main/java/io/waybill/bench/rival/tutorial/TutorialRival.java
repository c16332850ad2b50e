package io.waybill.bench.rival.tutorial;

import io.waybill.bench.child.SteadyLoad;
import io.waybill.bench.load.Backlog;
import io.waybill.bench.load.Payloads;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** The relay of the tutorials: a scheduled method that sends row after row. */
public final class TutorialRival implements Rival {
  private static final String TABLE =
      """
      create table tutorial_outbox (
        id bigint generated always as identity primary key,
        aggregate_id varchar(255) not null,
        type varchar(255) not null,
        payload text not null,
        status varchar(20) not null default 'NEW',
        created_at timestamptz not null default now(),
        sent_at timestamptz
      );
      create index tutorial_outbox_status on tutorial_outbox (status, id)
      """;
  private static final String FILL =
      """
      insert into tutorial_outbox (aggregate_id, type, payload)
      select (g %% %d)::text, 'order.placed', %s %s
      """;
  private static final String INSERT =
      """
      insert into tutorial_outbox (aggregate_id, type, payload) values (?, 'order.placed', ?)
      """;

  @Override
  public Map<String, String> settings(boolean tuned) {
    Map<String, String> all = new TreeMap<>();
    // Tutorials poll once a second; the fastest that a fixed delay allows is a millisecond.
    all.put("relay.delay", tuned ? "1" : "1000");
    // A send that is waited for gains nothing from the linger of Kafka's client.
    all.put("spring.kafka.producer.properties.linger.ms", tuned ? "0" : "5");
    return all;
  }

  @Override
  public void prepare(Task task) throws Exception {
    Backlog backlog = new Backlog(task.database());
    backlog.execute(TABLE);
    List<byte[]> templates = Payloads.templates();
    String text = Backlog.text(templates, task.keys());
    backlog.fill(
        "tutorial_outbox",
        task.events(),
        templates,
        (first, last) -> FILL.formatted(task.keys(), text, Backlog.range(first, last)));
  }

  @Override
  public Running start(Task task, Deliveries deliveries) {
    System.setProperty("org.springframework.boot.logging.LoggingSystem", "none");
    Map<String, Object> properties = new TreeMap<>(settings(task.tuned()));
    properties.put("spring.datasource.url", task.database());
    properties.put("spring.kafka.bootstrap-servers", task.broker());
    properties.put("spring.kafka.producer.acks", "all");
    properties.put("relay.topic", task.topic());
    properties.put("spring.main.banner-mode", "off");
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(TutorialApplication.class)
            .web(WebApplicationType.NONE)
            .initializers(c -> c.getBeanFactory().registerSingleton("deliveries", deliveries))
            .properties(properties)
            .run();
    return new Spring(context);
  }

  private record Spring(ConfigurableApplicationContext context) implements Running {
    @Override
    public SteadyLoad.Append append() {
      JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
      TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
      return (key, body) ->
          transaction.executeWithoutResult(
              status -> jdbc.update(INSERT, key, new String(body, StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
      context.close();
    }
  }
}
