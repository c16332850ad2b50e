package io.waybill.examples.polyshop.search;

import io.waybill.spring.WaybillHandler;
import java.util.Locale;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Makes products searchable by the words of their titles. */
@Component
@Profile("search")
class Catalogue {
  private final JdbcClient jdbc;

  Catalogue(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  record ProductCreated(String productId, String title) {}

  // Not idempotent: a second time would count twice.
  @WaybillHandler("product.product.created.v1")
  void index(ProductCreated product) {
    for (String word : product.title().toLowerCase(Locale.ROOT).split("\\W+")) {
      jdbc.sql(
              """
              insert into words (word, product_id, times) values (?, ?, 1)
              on conflict (word, product_id) do update set times = words.times + 1""")
          .params(word, product.productId())
          .update();
    }
  }
}
