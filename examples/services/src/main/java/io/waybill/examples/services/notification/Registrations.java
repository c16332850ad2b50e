package io.waybill.examples.services.notification;

import io.waybill.message.Event;
import io.waybill.spring.SpringOutbox;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.json.JsonMapper;

/** The authentication service: a registration and its event in one transaction. */
@Service
class Registrations {
  private static final String REGISTERED = "USER_REGISTERED";
  private static final String ADMINS = "1";

  private final JdbcClient jdbc;
  private final SpringOutbox outbox;
  private final JsonMapper json;

  Registrations(JdbcClient jdbc, SpringOutbox outbox, JsonMapper json) {
    this.jdbc = jdbc;
    this.outbox = outbox;
    this.json = json;
  }

  /** As JSON it is the answer to a request and the payload of the event. */
  record User(String userId, String name) {}

  /** Tells the admins. */
  @Transactional
  public User register(String name) {
    User user = new User("USR-" + insert(name), name);
    outbox.append(
        Event.builder(REGISTERED, Recipients.ADMIN.name(), ADMINS)
            .id(user.userId().replace("USR-", "USR-REG-"))
            .json(json.writeValueAsString(user))
            .build());
    return user;
  }

  private long insert(String name) {
    return jdbc.sql("insert into registration (name) values (?) returning id")
        .param(name)
        .query(Long.class)
        .single();
  }
}
