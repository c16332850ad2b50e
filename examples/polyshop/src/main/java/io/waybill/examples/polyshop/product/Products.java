package io.waybill.examples.polyshop.product;

import io.waybill.examples.polyshop.common.DomainEventFactory;
import io.waybill.examples.polyshop.common.EventMetadata;
import io.waybill.examples.polyshop.common.OutboxEventRepository;
import io.waybill.examples.polyshop.common.Refusals;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Takes products into the catalogue, each with {@code product.product.created.v1}. */
@RestController
@Profile("product")
class Products {
  private static final String CREATED = "product.product.created.v1";

  private final JdbcClient jdbc;
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  Products(JdbcClient jdbc, DomainEventFactory events, OutboxEventRepository outbox) {
    this.jdbc = jdbc;
    this.events = events;
    this.outbox = outbox;
  }

  record Request(@Nullable String userId, @Nullable String productId, @Nullable String title) {}

  record Product(String productId, String title) {}

  @PostMapping("/products")
  @ResponseStatus(HttpStatus.CREATED)
  @Transactional
  public Product create(
      @RequestBody Request request,
      @RequestHeader(name = EventMetadata.CORRELATION, required = false)
          @Nullable String correlationId,
      @RequestHeader(name = EventMetadata.IDEMPOTENCY, required = false)
          @Nullable String idempotencyKey) {
    Product product =
        new Product(
            Refusals.text("productId", request.productId()),
            Refusals.text("title", request.title()));
    EventMetadata metadata =
        new EventMetadata(Refusals.text("userId", request.userId()), correlationId, idempotencyKey);
    jdbc.sql("insert into products (id, title) values (?, ?)")
        .params(product.productId(), product.title())
        .update();
    outbox.save(events.event(CREATED, product.productId(), product), metadata);
    return product;
  }
}
