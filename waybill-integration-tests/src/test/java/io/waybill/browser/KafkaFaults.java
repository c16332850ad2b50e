package io.waybill.browser;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.waybill.inbox.Inbox;
import io.waybill.proof.server.KafkaServer;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** What goes wrong in a night with Kafka. */
final class KafkaFaults implements AutoCloseable {
  private static final int MANY = 30_000;
  private static final int BILLED = 8;
  private static final String ROUTES =
      """
      routes:
        default: {target: orders}
        types:
          invoiced: {target: invoices}
          audited: {target: audit}
          billed: {target: bills}
          strayed: {target: "%s"}
          returned: {target: returns}
          lost: {target: "{header.region}"}
      """;

  private final KafkaServer kafka = KafkaServer.launch();
  private final Night night;
  private final DeadLetters letters = new DeadLetters();

  KafkaFaults() throws Exception {
    for (String topic : List.of("orders", "audit", "bills", "bills.dlt")) {
      kafka.createTopic(topic, 1, Map.of());
    }
    night =
        new Night(
            "kafka: {bootstrap-servers: [\"" + kafka.bootstrapServers() + "\"]}\n",
            ROUTES.formatted("{header.region}"));
    night.insert("placed", 200);
  }

  Night night() {
    return night;
  }

  List<Fault> all() {
    return List.of(
        new MissingTopic(),
        new PausedDestination(),
        new Poison(),
        letters,
        new DeadRelay(),
        new WrongRoute());
  }

  /** Lets go wrong what pages have to show: a few faults, and a job that did not help. */
  void leaveForPages(Person person) throws Exception {
    night.insert("returned", 20);
    night.insert("lost", 40);
    night.waybill("destinations pause audit --yes --reason maintenance");
    night.insert("audited", 8);
    letters.happen();
    night.insertPoison("unwanted");
    person.open("overview");
    person.see(person.box("1 event of type placed parked"), "too-large");
    night.waybill("events skip unwanted --yes --reason nobody-wants-it");
    person.see(person.box("Destination returns takes no events"), "topic-missing");
    person.click(person.box("of type lost parked"), "Look and retry");
    person.click("Plan it");
    person.write("Why", "the header is there now");
    person.click("Run");
    person.see("STOPPED");
    person.open("dead-letters?source=bills");
    person.see("no such account");
  }

  /** Events of a route whose topic nobody has created. */
  private final class MissingTopic implements Fault {
    @Override
    public String name() {
      return "missing topic";
    }

    @Override
    public void happen() throws Exception {
      night.insert("invoiced", 20);
    }

    @Override
    public void find(Person person) {
      person.see(
          person.box("Destination invoices takes no events"),
          "topic-missing",
          "Declare what is missing");
    }

    @Override
    public void repair(Person person) {
      person.declare(person.box("Destination invoices takes no events"), "ticket 12");
    }
  }

  /** Somebody paused a destination, and went home. */
  private final class PausedDestination implements Fault {
    @Override
    public String name() {
      return "a paused and forgotten destination";
    }

    @Override
    public void happen() throws Exception {
      night.waybill("destinations pause audit --yes --reason maintenance");
      night.insert("audited", 20);
    }

    @Override
    public void find(Person person) {
      person.see(
          person.box("Destination audit is paused"), "maintenance", "Resume it when its reason");
    }

    @Override
    public void repair(Person person) {
      Locator box = person.box("Destination audit is paused");
      person.click(box, "Resume");
      person.write("Why", "maintenance is over");
      person.click("Resume");
      person.see("Resumed by");
      person.go("Overview");
      person.see("What is wrong now");
      person.seeGone(box);
    }
  }

  /** An event that the broker will never take, before others of its key. */
  private final class Poison implements Fault {
    @Override
    public String name() {
      return "poison";
    }

    @Override
    public void happen() throws Exception {
      night.insertPoison("poison");
    }

    @Override
    public void find(Person person) {
      person.see(person.box("1 event of type placed parked"), "too-large", "Raise the limit");
    }

    @Override
    public void repair(Person person) {
      person.click(person.box("1 event of type placed parked"), "Look and retry");
      person.click(person.page().locator("#verb-skip"));
      person.click("Plan it");
      person.write("Why", "its order was a test");
      person.click("Run");
      person.see("DONE");
      person.go("Overview");
      person.see("What is wrong now");
      person.seeGone(person.box("placed parked"));
    }
  }

  /** A consumer whose handler refuses events until it is mended. */
  private final class DeadLetters implements Fault {
    private volatile boolean broken;
    private @Nullable Inbox consumer;

    @Override
    public String name() {
      return "dead letters of a consumer";
    }

    @Override
    public void happen() throws Exception {
      broken = true;
      if (consumer == null) {
        consumer = Billing.start(night.database(), kafka.bootstrapServers(), () -> broken);
      }
      long before = letters();
      night.insert("billed", BILLED);
      // Who reads no alert looks at nothing: the time counts from the letters.
      Awaitility.await()
          .atMost(Patience.of(Duration.ofMinutes(2)))
          .until(() -> letters() >= before + BILLED);
    }

    private long letters() throws Exception {
      TopicPartition partition = new TopicPartition("bills.dlt", 0);
      try (Admin admin = kafka.admin()) {
        return admin
            .listOffsets(Map.of(partition, OffsetSpec.latest()))
            .partitionResult(partition)
            .get()
            .offset();
      }
    }

    private void end() {
      if (consumer != null) {
        consumer.close();
      }
    }

    @Override
    public void find(Person person) {
      person.go("Dead letters");
      Locator source =
          person.page().locator("main tr").filter(new Locator.FilterOptions().setHasText("bills"));
      person.see(source, "bills");
      person.click(source, "bills");
      person.see("no such account", "Send them again");
    }

    @Override
    public void repair(Person person) {
      broken = false;
      person.write("Type", "billed");
      person.click("Find");
      person.click("Plan it");
      person.write("Why", "the account is there now");
      person.click("Run");
      person.see("DONE");
    }
  }

  /** The only relay is killed. */
  private final class DeadRelay implements Fault {
    @Override
    public String name() {
      return "dead relay";
    }

    @Override
    public void happen() throws Exception {
      night.killRelay();
      night.insert("placed", 50);
    }

    @Override
    public void find(Person person) {
      person.see(person.box("No relay runs"), "nothing is published", "Then start one");
    }

    @Override
    public void repair(Person person) {
      Locator box = person.box("No relay runs");
      night.runRelay(person.copy(box));
      person.seeGone(box);
      person.seeGone(person.box("lanes have no owner"));
    }
  }

  /** A route that needs a header which no event has. */
  private final class WrongRoute implements Fault {
    @Override
    public String name() {
      return "wrong route, 30,000 events";
    }

    @Override
    public void happen() throws Exception {
      night.insert("strayed", MANY);
    }

    @Override
    public void find(Person person) {
      person.see(person.box("of type strayed parked"), "region", "Correct the route");
    }

    @Override
    public void repair(Person person) throws Exception {
      night.reroute(ROUTES.formatted("orders"));
      person.click(person.box("of type strayed parked"), "Look and retry");
      person.write("Rate", "1000");
      person.click("Plan it");
      person.write("Why", "the route is mended");
      person.click("Run");
      // More than the canary.
      PlaywrightAssertions.assertThat(succeeded(person))
          .hasText(
              Pattern.compile("[1-9]\\d.*"),
              new LocatorAssertions.HasTextOptions().setTimeout(Person.LIMIT));
    }

    private static Locator succeeded(Person person) {
      return person
          .page()
          .locator(".tiles li")
          .filter(new Locator.FilterOptions().setHasText("Succeeded"))
          .locator("strong");
    }

    @Override
    public String end(Person person) {
      long began = System.nanoTime();
      PlaywrightAssertions.assertThat(person.page().locator("main"))
          .containsText(
              "DONE", new LocatorAssertions.ContainsTextOptions().setTimeout(5 * Person.LIMIT));
      return "all %s retried %d s later"
          .formatted(succeeded(person).innerText(), (System.nanoTime() - began) / 1_000_000_000);
    }
  }

  @Override
  public void close() {
    letters.end();
    night.close();
    kafka.close();
  }
}
