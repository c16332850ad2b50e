package io.waybill.spring.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.waybill.handler.Interceptor;
import io.waybill.message.Event;
import io.waybill.message.ReceivedEvent;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.WaybillHandler;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Reserves stock for orders: what handlers do and fail in. */
final class StockApplication {
  /** Spans that handlers ran in, by event. */
  static final Map<String, String> SEEN = new ConcurrentHashMap<>();

  private StockApplication() {}

  record Order(String id) {}

  static class Handlers {
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    private final SpringOutbox outbox;
    private final Ledger ledger;

    Handlers(SpringOutbox outbox, Ledger ledger) {
      this.outbox = outbox;
      this.ledger = ledger;
    }

    @WaybillHandler("order.placed")
    void placed(Order order, ReceivedEvent event) {
      calls.add(order.id());
      ledger.write(order.id());
      outbox.append(
          event.causes(Event.builder("stock.reserved", "order", order.id())).json("{}").build());
    }

    @WaybillHandler("order.broken")
    void broken(Order order) {
      ledger.write(order.id());
      outbox.append(Event.builder("stock.reserved", "order", order.id()).json("{}").build());
      throw new IllegalStateException("sold out");
    }

    /** The exception is swallowed, the transaction is marked all the same. */
    @WaybillHandler("order.swallowed")
    void swallowed(Order order) {
      try {
        ledger.refuse(order.id());
      } catch (IllegalStateException e) {
        calls.add("swallowed");
      }
    }

    /** PostgreSQL ends the transaction with the error, and answers its COMMIT with a ROLLBACK. */
    @WaybillHandler("order.aborted")
    void aborted(Order order) {
      ledger.write(order.id());
      try {
        ledger.fail();
      } catch (DataAccessException e) {
        calls.add("aborted");
      }
    }
  }

  static class Ledger {
    private final JdbcClient jdbc;

    Ledger(JdbcClient jdbc) {
      this.jdbc = jdbc;
    }

    @Transactional
    public void write(String id) {
      jdbc.sql("insert into ledger (id, tx) values (?, pg_current_xact_id()::text)")
          .param(id)
          .update();
    }

    void fail() {
      jdbc.sql("select 1 / 0").query().singleValue();
    }

    @Transactional
    public void refuse(String id) {
      write(id);
      throw new IllegalStateException("refused");
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement(proxyTargetClass = true)
  @ImportAutoConfiguration({
    JdbcTemplateAutoConfiguration.class,
    JdbcClientAutoConfiguration.class,
    WaybillActuatorAutoConfiguration.class,
    WaybillMetricsAutoConfiguration.class,
    WaybillTracingAutoConfiguration.class
  })
  @Import(Traces.class)
  static class Beans {
    @Bean
    MeterRegistry registry() {
      return new SimpleMeterRegistry();
    }

    /** Stands between the observation and the handler. */
    @Bean
    Interceptor noting(Tracer tracer) {
      return (events, call) -> {
        Span span = tracer.currentSpan();
        SEEN.put(events.get(0).id(), span == null ? "no span" : span.context().spanId());
        call.run();
      };
    }

    @Bean
    Ledger ledger(JdbcClient jdbc) {
      return new Ledger(jdbc);
    }

    @Bean
    Handlers handlers(SpringOutbox outbox, Ledger ledger) {
      return new Handlers(outbox, ledger);
    }
  }
}
