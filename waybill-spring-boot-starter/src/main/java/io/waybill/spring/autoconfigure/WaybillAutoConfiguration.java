package io.waybill.spring.autoconfigure;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.waybill.message.Payload;
import io.waybill.message.PayloadSerializer;
import io.waybill.spring.DomainEventListener;
import io.waybill.spring.DomainEventPublisher;
import io.waybill.spring.DomainEvents;
import io.waybill.spring.InMemoryOutbox;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.TransactionOwners;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.broker.OutboxRoutes;
import io.waybill.spring.internal.database.OutboxDatabase;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.Outboxes;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.spring.test.PublishedEvents;
import java.util.EventObject;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.json.JsonMapper;

/**
 * Configures an outbox in Spring's transactions, domain events that go through it, and a relay in
 * the life cycle of the application.
 */
@AutoConfiguration(
    after = DataSourceAutoConfiguration.class,
    afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnBooleanProperty(name = "waybill.enabled", matchIfMissing = true)
@EnableConfigurationProperties(WaybillProperties.class)
public class WaybillAutoConfiguration {

  /** For Spring. */
  public WaybillAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(PayloadSerializer.class)
  PayloadSerializer<Object> waybillPayloadSerializer(ObjectProvider<JsonMapper> mappers) {
    // Not before the first event: an application without JSON need not load it at its start.
    Supplier<JsonMapper> mapper =
        SingletonSupplier.of(
            () ->
                mappers
                    .getIfUnique(() -> JsonMapper.builder().build())
                    .rebuild()
                    .addMixIn(EventObject.class, WithoutSource.class)
                    .build());
    return value -> Payload.of(mapper.get().writeValueAsBytes(value), Payload.JSON);
  }

  /** Who published an event of Spring's own kind is an object of the application, and no data. */
  @JsonIgnoreProperties("source")
  private interface WithoutSource {}

  @Bean
  @ConditionalOnMissingBean
  DomainEvents waybillDomainEvents(PayloadSerializer<Object> serializer) {
    return new DomainEvents(serializer);
  }

  @Bean
  @ConditionalOnBean(SpringOutbox.class)
  @ConditionalOnMissingBean
  DomainEventPublisher waybillDomainEventPublisher(
      ObjectProvider<SpringOutbox> outboxes, DomainEvents events, WaybillProperties properties) {
    SpringOutbox outbox = outboxes.getIfUnique();
    if (outbox == null) {
      throw new WaybillStartException(
          "Several outboxes are written to, and none of them is the one for domain events: "
              + String.join(", ", new TreeSet<>(properties.outboxes().keySet())),
          "Set waybill.outboxes.NAME.primary=true for one of them.",
          null);
    }
    return DomainEventPublisher.of(outbox, events);
  }

  @Bean
  @ConditionalOnBean(DomainEventPublisher.class)
  DomainEventListener waybillDomainEventListener(DomainEventPublisher publisher) {
    return new DomainEventListener(publisher);
  }

  /** Events in the database. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(
      name = "waybill.outbox.mode",
      havingValue = "database",
      matchIfMissing = true)
  @Import(OutboxRegistrar.class)
  static class InDatabase {
    @Bean
    RelayName waybillRelayName(WaybillProperties properties, Environment environment) {
      return RelayName.of(properties, environment);
    }

    @Bean
    Outboxes waybillOutboxes(
        WaybillProperties properties, RelayName name, ApplicationContext context) {
      return Outboxes.of(properties, name.value(), BrokerContext.of(context));
    }

    /** A broker of the application's may need what writes events: nothing of that needs this. */
    @Bean
    @ConditionalOnBooleanProperty(name = "waybill.relay.enabled", matchIfMissing = true)
    OutboxRoutes waybillOutboxRoutes(
        WaybillProperties properties, Outboxes outboxes, ApplicationContext context) {
      return OutboxRoutes.of(
          outboxes,
          properties,
          () -> BrokerContext.of(context),
          outbox -> OutboxFactory.layout(context, outbox, properties.outboxes().size() < 2));
    }

    @Bean(OutboxRegistrar.FACTORY)
    OutboxFactory waybillOutboxFactory(
        WaybillProperties properties, Outboxes outboxes, ApplicationContext context) {
      return new OutboxFactory(properties, outboxes, context);
    }

    /** A single manager's transactions cannot be mistaken for another's. */
    @Bean
    SmartInitializingSingleton waybillTransactionOwners(
        ObjectProvider<OutboxDatabase> databases,
        ObjectProvider<ConfigurableTransactionManager> managers) {
      return () -> {
        List<ConfigurableTransactionManager> all = managers.stream().toList();
        if (all.size() > 1) {
          databases.stream()
              .map(database -> new TransactionOwners(database.source()))
              .forEach(owners -> all.forEach(manager -> manager.addListener(owners)));
        }
      };
    }
  }

  /** Events in memory, for tests. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(name = "waybill.outbox.mode", havingValue = "memory")
  static class InMemory {
    @Bean
    InMemoryOutbox waybillOutbox() {
      return new InMemoryOutbox();
    }

    @Bean
    PublishedEvents waybillPublishedEvents(InMemoryOutbox outbox, DomainEvents events) {
      return new PublishedEvents(outbox, events);
    }
  }
}
