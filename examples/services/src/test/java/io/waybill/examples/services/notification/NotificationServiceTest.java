package io.waybill.examples.services.notification;

import static io.waybill.examples.services.notification.RunningNotifications.PATIENCE;
import static io.waybill.examples.services.notification.RunningNotifications.RESTAURANTS;
import static io.waybill.examples.services.notification.RunningNotifications.STAFF_TIMES_CHANNELS;
import static io.waybill.examples.services.notification.RunningNotifications.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.examples.services.notification.Notifications.Notification;
import io.waybill.examples.services.notification.Reservations.Wanted;
import io.waybill.proof.proxy.Action;
import io.waybill.proof.proxy.Match;
import io.waybill.proof.proxy.Rule;
import java.net.http.HttpResponse;
import java.time.LocalTime;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** The service on real servers. */
@Tag("server")
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NotificationServiceTest {
  private RunningNotifications service;
  private Reservations reservations;
  private Notifications notifications;
  private int reserved;

  @BeforeAll
  void start() {
    service = RunningNotifications.start();
    reservations = service.bean(Reservations.class);
    notifications = service.bean(Notifications.class);
  }

  @AfterAll
  void stop() {
    service.close();
  }

  private Reservation reserve() {
    return reservations.reserve(
        new Wanted(5, null, null, "John " + ++reserved, 4, LocalTime.of(20, 0)));
  }

  private HttpResponse<String> post(String path, String json) throws Exception {
    return service.service().client().post(path, json);
  }

  private static String idOf(HttpResponse<String> created, String field) {
    assertThat(created.statusCode()).isEqualTo(201);
    return JsonMapper.shared().readTree(created.body()).path(field).asString();
  }

  private List<Notification> awaitAll(Reservation reservation, int count) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(notifications.of(reservation.reservationId()))
                    .hasSizeGreaterThanOrEqualTo(count));
    return notifications.of(reservation.reservationId());
  }

  @Test
  void aRequestIsAnsweredWithItsReservation() throws Exception {
    HttpResponse<String> answer =
        post(
            "/reservations",
            """
            {"restaurant_id": 9, "customer_name": "Eve", "party_size": 2, "time": "18:15"}""");

    assertThat(answer.statusCode()).isEqualTo(201);
    assertThat(answer.body())
        .containsPattern("\"reservation_id\":\"RES-[0-9]+\",\"restaurant_id\":9,")
        .contains("\"customer_name\":\"Eve\",\"party_size\":2,\"time\":\"18:15\"");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /reservations|{"customer_name":"X","party_size":2,"time":"18:15"}|restaurant_id must be given
          /reservations|{"restaurant_id":9,"customer_name":" ","party_size":2,"time":"18:15"}|customer_name must be given
          /reservations|{"restaurant_id":9,"customer_name":"X","party_size":0,"time":"18:15"}|party_size must be from 1 to 500, but is 0
          /reservations|{"restaurant_id":9,"customer_name":"X","time":"18:15"}|party_size must be given
          /reservations|{"restaurant_id":9,"customer_name":"X","party_size":2}|time must be given
          /orders|{"restaurant_id": 6, "customer_id": 42}|total must be given
          /orders|{"restaurant_id": 6, "customer_id": 42, "total": 0}|total must be from 0.01
          /users|{"name": " "}|name must have 1 to 200 characters
          """)
  void aBadRequestIsRefusedWithFieldAndRule(String path, String request, String reason)
      throws Exception {
    HttpResponse<String> answer = post(path, request);

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body()).contains(reason);
  }

  @Test
  void aReservationBecomesARowForEachPersonAndChannel() {
    Reservation reservation = reserve();

    List<Notification> all = awaitAll(reservation, STAFF_TIMES_CHANNELS);

    String eventId = reservation.eventId(Recipients.RESTAURANT);
    assertThat(all).hasSize(STAFF_TIMES_CHANNELS).doesNotHaveDuplicates();
    assertThat(all).extracting(Notification::eventId).containsOnly(eventId);
    assertThat(all.stream().map(Notification::personId).distinct()).hasSize(10);
    assertThat(all.stream().map(Notification::channel).distinct())
        .containsExactlyInAnyOrder(Channel.values());
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                service.number(
                        """
                        select count(*) from event_outbox o join processed_event p using (event_id)
                        where event_id = ? and o.status = 'PROCESSED' and p.status = 'SUCCESS'""",
                        eventId)
                    == 1);
  }

  @Test
  void eachOfTheFourListenersNotifiesItsOwn() {
    Reservation reservation =
        reservations.reserve(new Wanted(3, 42L, 7L, "Ada", 12, LocalTime.of(19, 30)));

    List<Notification> all = awaitAll(reservation, 20 + 2 + 6 + 4);

    assertThat(all).hasSize(20 + 2 + 6 + 4);
    assertThat(all.stream().map(Notification::eventId).distinct())
        .containsExactlyInAnyOrder(
            reservation.eventId(Recipients.RESTAURANT),
            reservation.eventId(Recipients.CUSTOMER),
            reservation.eventId(Recipients.AGENCY),
            reservation.eventId(Recipients.ADMIN));
  }

  @Test
  void anOrderTellsItsRestaurantAndItsCustomer() throws Exception {
    String id =
        idOf(
            post("/orders", "{\"restaurant_id\":6,\"customer_id\":42,\"total\":25.5}"), "order_id");

    awaitRows(id + "-RESTAURANT", STAFF_TIMES_CHANNELS);
    awaitRows(id + "-CUSTOMER", Channel.values().length);
  }

  @Test
  void aRegistrationTellsTheAdmins() throws Exception {
    String id = idOf(post("/users", "{\"name\": \"Ann\"}"), "user_id");

    awaitRows(id.replace("USR-", "USR-REG-"), 2 * Channel.values().length);
  }

  private void awaitRows(String eventId, int rows) {
    await().atMost(PATIENCE).until(() -> notifications.ofEvent(eventId).size() == rows);
  }

  @Test
  void aReservationThatIsRolledBackTellsNobody() {
    Reservation gone =
        Objects.requireNonNull(
            service
                .bean(TransactionTemplate.class)
                .execute(
                    status -> {
                      status.setRollbackOnly();
                      return reserve();
                    }));

    assertThat(
            service.number(
                "select count(*) from event_outbox where event_id = ?",
                gone.eventId(Recipients.RESTAURANT)))
        .isZero();
    assertThat(
            service.number(
                "select count(*) from reservation where customer_name = ?", gone.customerName()))
        .isZero();
  }

  @Test
  void aRowThatAnotherServiceInsertedIsPublishedToo() {
    service
        .jdbc()
        .sql(
            """
            insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
            values ('ORD-1', 'ORDER_CREATED', 'CUSTOMER', 42, '{"order_id": "ORD-1"}')""")
        .update();

    await().atMost(PATIENCE).until(() -> service.rows("ORD-1") == Channel.values().length);
  }

  @Test
  void copiesOfAnEventDoNothingEvenWithNewStaff() {
    String copy = message("COPIED", 8);
    service.publish(RESTAURANTS, copy);
    await().atMost(PATIENCE).until(() -> service.rows("COPIED") == STAFF_TIMES_CHANNELS);
    service
        .jdbc()
        .sql("insert into person (aggregate_type, aggregate_id) values ('RESTAURANT', 8)")
        .update();
    service.publish(RESTAURANTS, copy);
    service.publish(RESTAURANTS, copy);

    service.awaitQueue();

    assertThat(service.rows("COPIED")).isEqualTo(STAFF_TIMES_CHANNELS);
  }

  @Test
  void ofTwoCopiesAtOnceTheUniqueKeyLetsOneWrite() {
    NotificationOrchestrator orchestrator = service.bean(NotificationOrchestrator.class);
    TransactionTemplate transaction = service.bean(TransactionTemplate.class);
    BusinessEvent event =
        new BusinessEvent(
            "AT-ONCE",
            "ORDER_CREATED",
            Recipients.RESTAURANT,
            4,
            JsonMapper.shared().createObjectNode());

    CompletableFuture<Void> second =
        transaction.execute(
            status -> {
              orchestrator.disaggregateAndProcess(Recipients.RESTAURANT, event);
              CompletableFuture<Void> copy =
                  CompletableFuture.runAsync(
                      () -> orchestrator.disaggregateAndProcess(Recipients.RESTAURANT, event));
              await().atMost(PATIENCE).until(this::somebodyWaitsForALock);
              return copy;
            });

    assertThat(second).succeedsWithin(PATIENCE);
    assertThat(service.rows("AT-ONCE")).isEqualTo(STAFF_TIMES_CHANNELS);
  }

  private boolean somebodyWaitsForALock() {
    return service
        .jdbc()
        .sql("select exists (select from pg_stat_activity where wait_event_type = 'Lock')")
        .query(Boolean.class)
        .single();
  }

  @Test
  void anEventIsAcknowledgedOnceAfterTheCommit() {
    service.awaitEmptyQueues();
    List<Integer> rowsAtAcknowledgements = new CopyOnWriteArrayList<>();
    Rule look =
        service
            .proxy()
            .add(
                Rule.on(Match.consumerAck())
                    .each()
                    .before(
                        Action.run(
                            "count rows", () -> rowsAtAcknowledgements.add(service.rows("ONCE")))));
    service.publish(RESTAURANTS, message("ONCE", 2));
    service.awaitQueue();
    service.awaitEmptyQueues();
    service.proxy().remove(look);

    assertThat(rowsAtAcknowledgements).containsExactly(STAFF_TIMES_CHANNELS, STAFF_TIMES_CHANNELS);
  }

  @Test
  void aLostAcknowledgementLeavesTwentyRows() throws Exception {
    service.awaitEmptyQueues();
    CountDownLatch acknowledged = new CountDownLatch(1);
    Rule lost = service.proxy().add(Rule.on(Match.consumerAck()).nth(1).before(Action.reset()));
    Rule second =
        service
            .proxy()
            .add(
                Rule.on(Match.consumerAck())
                    .nth(2)
                    .after(Action.run("acknowledged", acknowledged::countDown)));
    Reservation reservation = reserve();

    assertThat(acknowledged.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

    assertThat(service.proxy().history().count(lost)).isEqualTo(1);
    assertThat(service.rows(reservation.eventId(Recipients.RESTAURANT)))
        .isEqualTo(STAFF_TIMES_CHANNELS);
    service.proxy().remove(lost);
    service.proxy().remove(second);
  }

  @Test
  void whatCannotBeProcessedMakesRoomAndIsKept() {
    service.publish(RESTAURANTS, "{\"event_id\": 1");
    service.publish("notification.agency", message("ASTRAY", 6));

    for (int i = 0; i < 2; i++) {
      Message failed =
          service.bean(RabbitTemplate.class).receive(Messaging.FAILED, PATIENCE.toMillis());
      assertThat(Objects.requireNonNull(failed).getMessageProperties().getHeaders())
          .containsEntry("x-original-exchange", NotificationApplication.EXCHANGE);
    }
    service.awaitQueue();
    assertThat(service.rows("ASTRAY")).isZero();
  }

  @Test
  void whileTheDatabaseFailsEventsStayInTheirQueue() {
    service.jdbc().sql("create sequence attempts").update();
    service
        .jdbc()
        .sql(
            """
            create function fail() returns trigger language plpgsql as $$
            begin
              perform nextval('attempts');
              raise exception 'fails for a while' using errcode = '40001';
            end $$""")
        .update();
    service
        .jdbc()
        .sql("create trigger failing before insert on notification execute function fail()")
        .update();
    service.publish(RESTAURANTS, message("DELAYED", 1));

    // One attempt, three more in place, and then it has been put back.
    await().atMost(PATIENCE).until(() -> service.number("select last_value from attempts") > 4);
    service.jdbc().sql("drop trigger failing on notification").update();

    await().atMost(PATIENCE).until(() -> service.rows("DELAYED") == STAFF_TIMES_CHANNELS);
  }
}
