package io.waybill.spring.cloudstream;

import io.waybill.message.Event;
import io.waybill.proof.server.PostgresServer;
import io.waybill.spring.SpringOutbox;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** A service that speaks to its broker through binders, of which it has two. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class BinderApplication {
  /** One server for all tests of this module, started when the first one asks. */
  private static final class Database {
    static final PostgresServer SERVER = PostgresServer.launch();
  }

  /** The property of an empty database. */
  static String database(String name) {
    return "spring.datasource.url=" + Database.SERVER.createDatabase(name);
  }

  static ConfigurableApplicationContext run(String binder, String... properties) {
    return run(BinderApplication.class, binder, properties);
  }

  /** With more beans, of a configuration class. */
  static ConfigurableApplicationContext run(Class<?> more, String binder, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("waybill.broker=spring-cloud-stream");
    all.add("spring.cloud.stream.default-binder=" + binder);
    all.add("waybill.retry.attempts=1");
    all.add("spring.datasource.hikari.minimum-idle=0");
    all.add("spring.main.log-startup-info=false");
    return new SpringApplicationBuilder(BinderApplication.class, more)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .registerShutdownHook(false)
        .properties(all.toArray(String[]::new))
        .run();
  }

  /** Properties of an application without a database, for its publisher alone. */
  static final List<String> PUBLISHER_ALONE =
      List.of(
          "waybill.outbox.mode=memory",
          "spring.cloud.stream.dynamic-destination-cache-size=100",
          "spring.autoconfigure.exclude="
              + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration");

  static void append(ConfigurableApplicationContext context, Event event) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> context.getBean(SpringOutbox.class).append(event));
  }

  /** What the outbox says of an event: nothing once it is published, else its state and why. */
  static List<String> rows(ConfigurableApplicationContext context, String id) {
    return context
        .getBean(JdbcClient.class)
        .sql(
            """
            select concat_ws(' ', o.event_id, s.state, s.last_reason, s.last_detail)
            from waybill_outbox o left join waybill_row_state s on s.row_id = o.id
            where o.event_id = ?""")
        .param(id)
        .query(String.class)
        .list();
  }
}
