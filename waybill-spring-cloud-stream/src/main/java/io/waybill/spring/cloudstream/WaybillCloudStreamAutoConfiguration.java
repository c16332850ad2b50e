package io.waybill.spring.cloudstream;

import io.waybill.spring.autoconfigure.WaybillAutoConfiguration;
import io.waybill.spring.properties.WaybillProperties;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.stream.binder.BinderFactory;
import org.springframework.cloud.stream.binding.BindingService;
import org.springframework.cloud.stream.config.BindingServiceProperties;
import org.springframework.cloud.stream.function.StreamBridge;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** Makes Spring Cloud Stream the relay's broker if {@code waybill.broker} selects it. */
@AutoConfiguration(before = WaybillAutoConfiguration.class)
@ConditionalOnProperty(name = "waybill.broker", havingValue = "spring-cloud-stream")
@EnableConfigurationProperties(WaybillProperties.class)
public class WaybillCloudStreamAutoConfiguration {

  /** For Spring. */
  public WaybillCloudStreamAutoConfiguration() {}

  /** Made while properties are not bound yet: Spring Cloud Stream takes part in binding them. */
  @Bean
  static Binders waybillBinders(ObjectProvider<WaybillProperties> properties) {
    return new Binders(() -> properties.getObject().springCloudStream().deliveryTimeout());
  }

  @Bean
  static Body.Converter waybillBodyConverter() {
    return new Body.Converter();
  }

  @Bean
  StreamBroker waybillStreamBroker(
      ApplicationContext context,
      StreamBridge bridge,
      BinderFactory factory,
      BindingServiceProperties properties,
      BindingService service,
      Binders binders) {
    return new StreamBroker(
        new Bridge(bridge, new Bindings(context, factory, properties, service, binders)));
  }
}
