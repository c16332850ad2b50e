package io.waybill.examples.polyshop.search;

import io.waybill.spring.WaybillHandler;
import java.util.Locale;
import java.util.regex.Pattern;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Makes products searchable by the words of their titles. */
@Component
@Profile("search")
class Catalogue {
  private static final Pattern BETWEEN_WORDS = Pattern.compile("\\W+");

  private final JdbcClient jdbc;

  Catalogue(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  record ProductCreated(String productId, String title) {}

  // Not idempotent: a second time would count twice.
  @WaybillHandler("product.product.created.v1")
  void index(ProductCreated product) {
    BETWEEN_WORDS
        .splitAsStream(product.title().toLowerCase(Locale.ROOT))
        .forEach(word -> count(word, product.productId()));
  }

  private void count(String word, String productId) {
    jdbc.sql(
            """
            insert into words (word, product_id, times) values (?, ?, 1)
            on conflict (word, product_id) do update set times = words.times + 1""")
        .params(word, productId)
        .update();
  }
}
