package io.waybill.spring.autoconfigure;

import io.waybill.spring.WaybillEvent;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with a data source, transactions and Waybill, and nothing else. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
  DataSourceAutoConfiguration.class,
  DataSourceTransactionManagerAutoConfiguration.class,
  TransactionAutoConfiguration.class,
  SslAutoConfiguration.class,
  WaybillConfigAutoConfiguration.class,
  WaybillAutoConfiguration.class,
  WaybillInboxAutoConfiguration.class
})
public class SmallApplication {
  @WaybillEvent(type = "order.placed", aggregateType = "order", aggregateId = "id")
  record OrderPlaced(String id) {}

  public static ConfigurableApplicationContext run(
      Class<?> more, String url, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.datasource.url=" + url);
    all.add("spring.datasource.hikari.minimum-idle=0");
    all.add("spring.main.log-startup-info=false");
    return new SpringApplicationBuilder(SmallApplication.class, more)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .registerShutdownHook(false)
        .properties(all.toArray(String[]::new))
        .run();
  }

  static ConfigurableApplicationContext run(String url, String... properties) {
    return run(Nothing.class, url, properties);
  }

  static void publish(ConfigurableApplicationContext context, String id) {
    context
        .getBean(TransactionTemplate.class)
        .executeWithoutResult(status -> context.publishEvent(new OrderPlaced(id)));
  }

  @Configuration(proxyBeanMethods = false)
  static class Nothing {}
}
