package io.waybill.bench.rival.tutorial;

import io.waybill.bench.load.Backlog;
import io.waybill.bench.load.Payloads;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import io.waybill.bench.rival.spring.SpringRelay;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

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
    ConfigurableApplicationContext context =
        SpringRelay.start(TutorialApplication.class, task, settings(task.tuned()), deliveries);
    JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
    return new SpringRelay(context, (key, body) -> jdbc.update(INSERT, key, body));
  }
}
