package io.waybill.bench.rival.modulith;

import io.waybill.bench.load.Backlog;
import io.waybill.bench.rival.Deliveries;
import io.waybill.bench.rival.Rival;
import io.waybill.bench.rival.spring.LibraryBacklog;
import io.waybill.bench.rival.spring.SpringRelay;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.modulith.events.IncompleteEventPublications;

/**
 * Spring Modulith's event publication registry with externalisation to Kafka. A backlog is what an
 * application left behind; it is submitted again as after a restart.
 */
public final class ModulithRival implements Rival {
  private static final String SCHEMA =
      "org/springframework/modulith/events/jdbc/schemas/v2/schema-postgresql.sql";
  private static final String LISTENER =
      "org.springframework.modulith.events.support.DelegatingEventExternalizer"
          + ".externalize(java.lang.Object)";
  // As JdbcEventPublicationRepositoryV2 inserts.
  private static final String FILL =
      """
      insert into event_publication (id, listener_id, event_type, serialized_event,
        publication_date, status, completion_attempts, last_resubmission_date)
      select gen_random_uuid(), '%s', '%s', %s,
        now() - interval '1 hour' + g * interval '1 microsecond', 'PUBLISHED', 1,
        now() - interval '1 hour' + g * interval '1 microsecond'
      %s
      """;

  @Override
  public Map<String, String> settings(boolean tuned) {
    Map<String, String> all = new TreeMap<>();
    if (tuned) {
      // Reference, "Event Publication Completion": deleted instead of kept as completed.
      all.put("spring.modulith.events.completion-mode", "delete");
      // Spring Boot, "Task Execution and Scheduling": the listeners' threads; 8 by default.
      all.put("spring.task.execution.pool.core-size", "16");
      // One connection for each thread and one for each completion.
      all.put("spring.datasource.hikari.maximum-pool-size", "30");
      all.put("spring.kafka.producer.properties.linger.ms", "0");
    }
    return all;
  }

  @Override
  public void prepare(Task task) throws Exception {
    Backlog backlog = new Backlog(task.database());
    backlog.execute(LibraryBacklog.schema(IncompleteEventPublications.class, SCHEMA));
    List<byte[]> templates = LibraryBacklog.templates(OrderPlaced::new);
    String text = Backlog.text(templates, task.keys());
    backlog.fill(
        "event_publication",
        task.events(),
        templates,
        (first, last) ->
            FILL.formatted(
                LISTENER, OrderPlaced.class.getName(), text, Backlog.range(first, last)));
  }

  @Override
  public Running start(Task task, Deliveries deliveries) {
    Map<String, String> settings = new TreeMap<>(settings(task.tuned()));
    // The body is JSON already.
    settings.put("spring.modulith.events.kafka.enable-json", "false");
    ConfigurableApplicationContext context =
        SpringRelay.start(ModulithApplication.class, task, settings, deliveries);
    Thread thread =
        new Thread(
            () ->
                context
                    .getBean(IncompleteEventPublications.class)
                    .resubmitIncompletePublications(publication -> true),
            "resubmit");
    thread.setDaemon(true);
    if (!task.settings().has("writer")) {
      thread.start();
    }
    return new SpringRelay(context, (key, body) -> context.publishEvent(new OrderPlaced(body)));
  }
}
