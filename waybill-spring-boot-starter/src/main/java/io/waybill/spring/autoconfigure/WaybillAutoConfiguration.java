package io.waybill.spring.autoconfigure;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.waybill.jdbc.ConnectionFactory;
import io.waybill.layout.Layout;
import io.waybill.message.EventLimits;
import io.waybill.message.Payload;
import io.waybill.message.PayloadSerializer;
import io.waybill.observe.HealthLimits;
import io.waybill.observe.OutboxHealth;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.Outbox;
import io.waybill.spring.DomainEventListener;
import io.waybill.spring.DomainEventPublisher;
import io.waybill.spring.DomainEvents;
import io.waybill.spring.InMemoryOutbox;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.TransactionOwners;
import io.waybill.spring.WakeUp;
import io.waybill.spring.test.PublishedEvents;
import java.util.ArrayList;
import java.util.EventObject;
import java.util.List;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.json.JsonMapper;

/**
 * An outbox in Spring's transactions, domain events that go through it, and a relay in the life
 * cycle of the application.
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
  @ConditionalOnMissingBean
  DomainEventPublisher waybillDomainEventPublisher(SpringOutbox outbox, DomainEvents events) {
    return DomainEventPublisher.of(outbox, events);
  }

  @Bean
  DomainEventListener waybillDomainEventListener(DomainEventPublisher publisher) {
    return new DomainEventListener(publisher);
  }

  /** Events in the database. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnProperty(
      name = "waybill.outbox.mode",
      havingValue = "database",
      matchIfMissing = true)
  static class InDatabase {
    @Bean
    RelayName waybillRelayName(WaybillProperties properties, Environment environment) {
      return RelayName.of(properties, environment);
    }

    @Bean
    @DependsOnDatabaseInitialization
    OutboxDatabase waybillOutboxDatabase(
        WaybillProperties properties,
        RelayName name,
        ListableBeanFactory beans,
        ObjectProvider<Layout> layouts,
        ObjectProvider<DataSourcePoolMetadataProvider> pools) {
      DataSource source = DataSources.of(beans, properties.outbox().dataSource());
      List<DataSourcePoolMetadataProvider> known = pools.orderedStream().toList();
      ConnectionFactory connections =
          RelayConnections.of(source, properties.relay().enabled() ? known : List.of())
              .behind(properties.relay().pooler());
      Layout layout = layouts.getIfUnique();
      return OutboxDatabase.open(source, connections, layout, properties, name.value());
    }

    @Bean
    WakeUp waybillWakeUp() {
      return new WakeUp();
    }

    @Bean
    @ConditionalOnMissingBean
    SpringOutbox waybillOutbox(OutboxDatabase database, WakeUp wakeUp, BeanFactory beans) {
      Outbox outbox = new Outbox(database.tables().append(), EventLimits.ofDefaults(), wakeUp);
      Observations observations = Observations.of(beans);
      return observations.around(
          SpringOutbox.joining(database.source(), outbox, observations.traces()));
    }

    /** A single manager's transactions cannot be mistaken for another's. */
    @Bean
    SmartInitializingSingleton waybillTransactionOwners(
        OutboxDatabase database, ObjectProvider<ConfigurableTransactionManager> managers) {
      return () -> {
        List<ConfigurableTransactionManager> all = managers.stream().toList();
        if (all.size() > 1) {
          TransactionOwners owners = new TransactionOwners(database.source());
          all.forEach(manager -> manager.addListener(owners));
        }
      };
    }
  }

  /** The relay of this process. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBooleanProperty(name = "waybill.relay.enabled", matchIfMissing = true)
  @ConditionalOnProperty(
      name = "waybill.outbox.mode",
      havingValue = "database",
      matchIfMissing = true)
  static class InProcess {
    @Bean
    RelayLifecycle waybillRelay(
        WaybillProperties properties,
        RelayName name,
        OutboxDatabase database,
        WakeUp wakeUp,
        ApplicationContext context,
        ObjectProvider<RelayListener> listeners) {
      RelayBrokerSide broker = Brokers.of(properties, BrokerContext.of(context), name.value());
      RelaySettings settings =
          RelaySettings.check(
              properties,
              broker.transport(),
              broker.deliveryTimeout(),
              database.tables().polling());
      broker.require(settings.routedDestinations());
      OutboxHealth health =
          new OutboxHealth(
              properties.outbox().name(),
              HealthLimits.of(
                  settings.lease(), properties.limits().viewInterval(), broker.deliveryTimeout()),
              System::nanoTime);
      List<RelayListener> all = new ArrayList<>(listeners.orderedStream().toList());
      all.add(health);
      RelayParts parts =
          new RelayParts(
              name.value(),
              properties,
              database,
              broker,
              settings,
              RelayListener.all(all),
              Observations.of(context));
      return new RelayLifecycle(parts, wakeUp, health);
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
