package io.waybill.spring.internal.broker;

import io.waybill.broker.Broker;
import io.waybill.kafka.KafkaBroker;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.layout.Layout;
import io.waybill.layout.Layouts;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.rabbitmq.RabbitPublisherConfig;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.properties.WaybillProperties;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

/** Keys of Waybill and of Spring, and the brokers that they describe. */
abstract class BrokerKeys {
  final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
  final Map<String, Object> properties = new LinkedHashMap<>();

  BrokerKeys set(String key, String value) {
    properties.put(key, value);
    return this;
  }

  StandardEnvironment environment() {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    return environment;
  }

  WaybillProperties bound() {
    return Binder.get(environment()).bindOrCreate("waybill", WaybillProperties.class);
  }

  BrokerContext context() {
    return new BrokerContext(
        environment(), beans, new DefaultResourceLoader(), new LinkedHashSet<>());
  }

  Broker broker() {
    return broker(Layouts.WAYBILL);
  }

  Broker broker(Layout layout) {
    return Brokers.of(ConfiguredOutbox.of(bound(), "shop-1").get(0), layout, bound(), context());
  }

  ConsumedBroker consumed() {
    return Brokers.consumed(bound(), context(), "stock");
  }

  KafkaPublisherConfig kafka() {
    return ((KafkaBroker) broker()).config();
  }

  RabbitPublisherConfig rabbit() {
    return ((RabbitBroker) broker()).config();
  }
}
