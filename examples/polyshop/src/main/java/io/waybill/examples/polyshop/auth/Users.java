package io.waybill.examples.polyshop.auth;

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

/** Registers users, each with {@code auth.user.registered.v1}. */
@RestController
@Profile("auth")
class Users {
  private static final String REGISTERED = "auth.user.registered.v1";

  private final JdbcClient jdbc;
  private final DomainEventFactory events;
  private final OutboxEventRepository outbox;

  Users(JdbcClient jdbc, DomainEventFactory events, OutboxEventRepository outbox) {
    this.jdbc = jdbc;
    this.events = events;
    this.outbox = outbox;
  }

  record User(@Nullable String userId, @Nullable String name) {}

  @PostMapping("/users")
  @ResponseStatus(HttpStatus.CREATED)
  @Transactional
  public User register(
      @RequestBody User user,
      @RequestHeader(name = EventMetadata.CORRELATION, required = false)
          @Nullable String correlationId,
      @RequestHeader(name = EventMetadata.IDEMPOTENCY, required = false)
          @Nullable String idempotencyKey) {
    String id = Refusals.text("userId", user.userId());
    jdbc.sql("insert into users (id, name) values (?, ?)")
        .params(id, Refusals.text("name", user.name()))
        .update();
    outbox.save(
        events.event(REGISTERED, id, user), new EventMetadata(id, correlationId, idempotencyKey));
    return user;
  }
}
