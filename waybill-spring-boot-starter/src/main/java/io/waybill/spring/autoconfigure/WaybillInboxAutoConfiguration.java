package io.waybill.spring.autoconfigure;

import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.Interceptor;
import io.waybill.message.Transport;
import io.waybill.observe.InboxListener;
import io.waybill.spring.InboxTransactions;
import io.waybill.spring.PayloadMapper;
import io.waybill.spring.inbox.ObservedHandlers;
import io.waybill.spring.inbox.SpringErrors;
import io.waybill.spring.internal.broker.Brokers;
import io.waybill.spring.internal.broker.ConsumedBroker;
import io.waybill.spring.internal.database.InboxDatabase;
import io.waybill.spring.internal.database.OutboxDatabase;
import io.waybill.spring.internal.database.PoolRoom;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.properties.InboxProperties;
import io.waybill.spring.properties.WaybillProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.util.function.SingletonSupplier;
import tools.jackson.databind.json.JsonMapper;

/** Configures an inbox whose bean methods handle each event once, in Spring's transactions. */
@AutoConfiguration(after = WaybillAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "waybill.enabled", matchIfMissing = true)
public class WaybillInboxAutoConfiguration {

  /** For Spring. */
  public WaybillInboxAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  PayloadMapper waybillPayloadMapper(ObjectProvider<JsonMapper> mappers) {
    Supplier<JsonMapper> mapper =
        SingletonSupplier.of(() -> mappers.getIfUnique(() -> JsonMapper.builder().build()));
    return (payload, type) ->
        mapper
            .get()
            .readValue(Objects.requireNonNull(payload.bytes()), mapper.get().constructType(type));
  }

  @Bean
  HandlerRegistry waybillHandlers(
      ConfigurableListableBeanFactory beans, PayloadMapper mapper, WaybillProperties properties) {
    return new HandlerRegistry(beans, mapper, properties.inbox());
  }

  /** The inbox of this process. */
  @Configuration(proxyBeanMethods = false)
  @Conditional(OnInbox.class)
  static class Consuming {
    /** A single manager knows its own transactions. */
    @Bean
    SmartInitializingSingleton waybillInboxTransactions(
        ObjectProvider<ConfigurableTransactionManager> managers) {
      return () -> {
        List<ConfigurableTransactionManager> all = managers.stream().toList();
        if (all.size() > 1) {
          InboxTransactions listener = new InboxTransactions();
          all.forEach(manager -> manager.addListener(listener));
        }
      };
    }

    @Bean
    ConsumerName waybillConsumerName(WaybillProperties properties, Environment environment) {
      return ConsumerName.of(properties.inbox(), environment);
    }

    @Bean
    @DependsOnDatabaseInitialization
    InboxDatabase waybillInboxDatabase(
        WaybillProperties properties,
        OutboxDatabase outbox,
        ListableBeanFactory beans,
        ConsumerName consumer) {
      return InboxDatabase.open(properties, outbox.source(), beans, consumer.value());
    }

    @Bean
    InboxLifecycle waybillInbox(
        WaybillProperties properties,
        InboxDatabase database,
        ConsumerName consumer,
        HandlerRegistry handlers,
        ApplicationContext context) {
      InboxProperties inbox = properties.inbox();
      InboxRules rules = InboxRules.check(inbox, pool(context, database, properties));
      BrokerContext brokers = BrokerContext.of(context);
      ConsumingParts.From from = from(properties, brokers, consumer);
      InboxLifecycle lifecycle =
          new InboxLifecycle(
              new ConsumingParts(
                  rules,
                  inbox,
                  database::store,
                  from,
                  handlers::handlers,
                  around(context, from.broker().broker().transport(), consumer.value())),
              () -> from(properties, BrokerContext.of(context), consumer));
      brokers.onRenewal(lifecycle::renew);
      return lifecycle;
    }

    private static ConsumingParts.From from(
        WaybillProperties properties, BrokerContext context, ConsumerName consumer) {
      ConsumedBroker broker = Brokers.consumed(properties, context, consumer.value());
      return ConsumingParts.From.of(broker, properties.inbox(), consumer.value());
    }

    private static PoolRoom pool(
        ApplicationContext context, InboxDatabase database, WaybillProperties properties) {
      return PoolRoom.of(
          database.source(),
          context.getBeanProvider(DataSourcePoolMetadataProvider.class).orderedStream().toList(),
          properties.relay().enabled(),
          properties.inbox().workers());
    }

    /** Those of the application run within the observation. */
    private static Interceptor interceptor(
        ApplicationContext context, Transport transport, String consumer) {
      List<Interceptor> all =
          new ArrayList<>(context.getBeanProvider(Interceptor.class).orderedStream().toList());
      if (all.stream().noneMatch(ObservedHandlers.class::isInstance)) {
        all.add(0, Observations.of(context).handlers(transport, consumer));
      }
      return Interceptor.all(all);
    }

    private static ConsumingParts.Around around(
        ApplicationContext context, Transport transport, String consumer) {
      ErrorClassifier errors =
          context.getBeanProvider(ErrorClassifier.class).getIfUnique(() -> errors(context));
      List<InboxListener> listeners =
          context.getBeanProvider(InboxListener.class).orderedStream().toList();
      return new ConsumingParts.Around(
          interceptor(context, transport, consumer), errors, InboxListener.all(listeners));
    }

    /** Looked up late: a translator is the factory of JPA's entity managers. */
    private static ErrorClassifier errors(ApplicationContext context) {
      return new SpringErrors(
          SingletonSupplier.of(
              () ->
                  context
                      .getBeanProvider(PersistenceExceptionTranslator.class, false)
                      .orderedStream()
                      .toList()));
    }
  }
}
