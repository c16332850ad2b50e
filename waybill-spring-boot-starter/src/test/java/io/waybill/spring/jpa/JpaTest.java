package io.waybill.spring.jpa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.spring.Tables;
import io.waybill.spring.jpa.JpaApplication.Purchases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.IllegalTransactionStateException;

@Tag("server")
class JpaTest {
  @Test
  void entitiesAndEventsShareTheTransaction() {
    Tables tables = Tables.create();
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(JpaApplication.class)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .properties(
                "spring.datasource.url=" + tables.url(),
                "spring.flyway.enabled=false",
                "spring.liquibase.enabled=false",
                "spring.jpa.hibernate.ddl-auto=create",
                "waybill.relay.enabled=false")
            .run()) {
      Purchases purchases = context.getBean(Purchases.class);
      purchases.buy("1", false);
      assertThatThrownBy(() -> purchases.buy("2", true)).hasMessage("business");
      assertThatExceptionOfType(IllegalTransactionStateException.class)
          .isThrownBy(() -> purchases.look("3"))
          .withMessageContaining("read-only");

      assertThat(tables.texts("select aggregate_id from waybill_outbox")).containsExactly("1");
      assertThat(tables.texts("select id from purchase")).containsExactly("1");
    }
  }
}
