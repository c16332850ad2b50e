package io.waybill.spring.autoconfigure;

import io.waybill.handler.Registration;
import io.waybill.spring.PayloadMapper;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.inbox.HandlerScan;
import io.waybill.spring.internal.database.InboxDatabase;
import io.waybill.spring.properties.InboxProperties;
import java.util.List;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The handlers of the application, once all of its beans are there. */
final class HandlerRegistry implements SmartInitializingSingleton {
  private final ConfigurableListableBeanFactory beans;
  private final PayloadMapper mapper;
  private final InboxProperties properties;
  private volatile List<Registration> handlers = List.of();

  HandlerRegistry(
      ConfigurableListableBeanFactory beans, PayloadMapper mapper, InboxProperties properties) {
    this.beans = beans;
    this.mapper = mapper;
    this.properties = properties;
  }

  List<Registration> handlers() {
    return handlers;
  }

  @Override
  public void afterSingletonsInstantiated() {
    InboxDatabase database = beans.getBeanProvider(InboxDatabase.class).getIfAvailable();
    handlers =
        HandlerScan.find(
            beans, mapper, database == null ? null : database.transactions().manager());
    boolean sources = !properties.sources().isEmpty();
    if (handlers.isEmpty() && sources && properties.enabled()) {
      throw new WaybillStartException(
          "The inbox has sources "
              + properties.sources()
              + ", but no bean has a method with @WaybillHandler.",
          "Add a handler, or leave waybill.inbox.sources out.",
          null);
    }
    if (!handlers.isEmpty() && !sources && properties.enabled()) {
      throw new WaybillStartException(
          "There are methods with @WaybillHandler, for example "
              + handlers.get(0).handler()
              + ", but the inbox has no sources.",
          "Set waybill.inbox.sources to the topics or queues that events come from, or"
              + " waybill.inbox.enabled=false where another process consumes.",
          null);
    }
  }
}
