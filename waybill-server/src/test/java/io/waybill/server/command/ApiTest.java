package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.server.command.ApiDescription.Operation;
import io.waybill.server.command.ApiDescription.Parameter;
import io.waybill.server.terminal.CommandContext;
import io.waybill.server.terminal.ExitCode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The API without a relay, on a real PostgreSQL: what it answers, and to whom. */
class ApiTest extends ApiOnPostgres {
  private static final String SHOP = "/outboxes/orders";
  private static final List<String> ROLES = List.of("viewer", "operator", "administrator");
  private static final List<String> WITHOUT_AN_ADDRESS =
      List.of(
          // They start or prepare something.
          "relay",
          "api",
          "console",
          "demo",
          "generate-completion",
          "users add",
          "schema print",
          "schema apply",
          "schema check",
          "schema empty",
          "config check",
          "config print",
          // Their verbs are those of a job.
          "events retry",
          "events skip",
          "events park",
          "events bury",
          "events replay");

  @Test
  void everyOperationIsForThoseWhoHaveTheRight() throws Exception {
    String job = planned();
    ApiServer browsers = api.byBrowsers();
    Map<String, Integer> expected = new TreeMap<>();
    Map<String, Integer> found = new TreeMap<>();
    for (Operation operation : description.operations()) {
      String path = operation.path().replace("{outbox}", "orders");
      boolean ofAnOutbox = path.startsWith(SHOP);
      String what = operation.method() + " " + path + " ";
      for (String user : List.of("viewer", "operator", "administrator", "here", "elsewhere")) {
        boolean may = may(user, operation);
        for (ApiServer way : List.of(api, browsers)) {
          String who = user + (way == api ? "" : " by a browser");
          HttpResponse<String> answer = ask(way, user, operation, job);
          expected.put(what + who, !ofAnOutbox || may ? 200 : 403);
          // In another state than this needs, after the operator's request.
          found.put(what + who, answer.statusCode() == 409 && may ? 200 : answer.statusCode());
          description.check(operation, answer, path + " for " + who);
        }
      }
      expected.put(what + "nobody", 401);
      found.put(what + "nobody", api.send(operation.method(), null, "", path).statusCode());
      expected.put(what + "wrong", 401);
      found.put(what + "wrong", api.send(operation.method(), "viewer", "wrong", path).statusCode());
    }
    assertThat(found).hasSizeGreaterThan(250).isEqualTo(expected);
  }

  private static boolean may(String user, Operation operation) {
    String least = operation.role().asString("").replace("WAYBILL_", "").toLowerCase(Locale.ROOT);
    // Roles of one outbox: a viewer of this one, and somebody of another.
    int rank = user.equals("here") ? 0 : ROLES.indexOf(user);
    return rank >= ROLES.indexOf(least);
  }

  private String planned() throws Exception {
    sql(
        "update waybill_row_state set failure_group = '%s' where state = 'PARKED'"
            .formatted(ParkedGroup.DIGITS));
    Map<String, Object> plan = Map.of("verb", "park", "eventId", List.of("e3", "e4"));
    return ApiServer.json(api.post("operator", SHOP + "/jobs", plan)).get("id").asString();
  }

  /** With what it needs, and no more. */
  private HttpResponse<String> ask(String user, Operation operation, String job) throws Exception {
    return ask(api, user, operation, job);
  }

  private static HttpResponse<String> ask(
      ApiServer api, String user, Operation operation, String job) throws Exception {
    String path = operation.path().replace("{outbox}", "orders");
    Map<String, Object> given = new TreeMap<>();
    for (Parameter parameter : operation.parameters()) {
      if (parameter.required()) {
        given.put(parameter.name(), usual(parameter.name(), path, job));
      }
    }
    if (operation.changes()) {
      if (path.endsWith("/dead-letters/jobs")) {
        given.put("eventId", "none");
      } else if (path.endsWith("/jobs")) {
        given.put("state", "parked");
      } else if (path.contains("/event/correction")) {
        given.put("payload", "{}");
      }
      return api.post(user, path, given);
    }
    List<String> query =
        given.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList();
    return api.get(user, query.isEmpty() ? path : path + "?" + String.join("&", query));
  }

  private static boolean isOfAnEvent(String path) {
    return (path.startsWith(SHOP + "/event") && !path.endsWith("/run"))
        || path.endsWith("/dead-letter");
  }

  private static String usual(String parameter, String path, String job) {
    return switch (parameter) {
      case "id" -> isOfAnEvent(path) ? "e1" : job;
      case "source" -> "orders";
      case "group" -> ParkedGroup.GROUP;
      case "verb" -> "retry";
      case "destination" -> "audit";
      default -> "a test";
    };
  }

  @Test
  void whoIsRemovedFromTheFileIsNobody() throws Exception {
    assertThat(api.get("viewer", SHOP).statusCode()).isEqualTo(200);

    Files.write(users, List.of(user("operator", "operator"), "broken"));
    Files.setLastModifiedTime(users, FileTime.fromMillis(1_000));
    assertThat(api.get("viewer", SHOP).statusCode())
        .as("a broken file changes nothing")
        .isEqualTo(200);

    Files.write(users, List.of(user("operator", "operator")));
    Files.setLastModifiedTime(users, FileTime.fromMillis(2_000));
    assertThat(api.get("viewer", SHOP).statusCode()).isEqualTo(401);
    assertThat(api.get("operator", SHOP).statusCode()).isEqualTo(200);
  }

  /** Metrics, health and actuator's endpoints are about every outbox. */
  @Test
  void whatIsAboutEveryOutboxIsForRolesOfAllOutboxes() throws Exception {
    for (String user : List.of("here", "elsewhere")) {
      assertThat(api.outside(user, "/metrics")).as(user).isEqualTo(403);
      assertThat(api.outside(user, "/health")).as(user).isEqualTo(403);
    }
    assertThat(api.outside("viewer", "/metrics")).isEqualTo(200);
    assertThat(api.outside(null, "/metrics")).isEqualTo(401);
    assertThat(api.outside(null, "/livez")).isEqualTo(200);
  }

  /** The printed role of readers is enough for every operation. */
  @Test
  void aDatabaseUserThatOnlyReadsIsEnough() throws Exception {
    List<String> roles =
        List.of("api_writer", "api_relay", "api_operator", "api_reader", "api_consumer");
    for (String role : roles) {
      sql("drop role if exists " + role + "; create role " + role + " login");
    }
    sql(run("schema", "print", "--grants", String.join(",", roles.subList(0, 4))).out());
    sql(run("schema", "print", "--inbox", "--grants", "api_consumer,api_reader").out());
    Path asReader = CommandRun.write(home(), yaml("api_reader"));
    String job = planned();
    try (ApiServer reading = ApiServer.start(asReader, users)) {
      for (Operation operation : description.operations()) {
        if (!operation.changes()) {
          HttpResponse<String> answer = ask(reading, "administrator", operation, job);
          assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
      }
    }
    for (String role : roles) {
      sql("drop owned by " + role + "; drop role " + role);
    }
  }

  @Test
  void theOutboxesAreThoseOfTheCaller() throws Exception {
    assertThat(api.get("here", "/outboxes").body()).isEqualTo("{\"items\":[\"orders\"]}");
    assertThat(api.get("elsewhere", "/outboxes").body()).isEqualTo("{\"items\":[]}");
    assertThat(api.get("elsewhere", "/outboxes/none").statusCode()).isEqualTo(403);
    assertThat(api.get("viewer", "/outboxes/none").statusCode()).isEqualTo(404);
  }

  @Test
  void aSearchThatLooksAtManyRowsGoesOn() throws Exception {
    sql(
        """
        insert into waybill_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
          select 'm' || n, case when n = 20000 then 'rare' else 'placed' end, 'order', '1', '{}'
          from generate_series(1, 20000) n""");
    JsonNode first = json("/events?type=rare");
    assertThat(first.get("items")).isEmpty();
    assertThat(texts("/events?type=rare&after=" + first.get("next").asString(), "items", "eventId"))
        .containsExactly("m20000");
    JsonNode count = json("/events/count?type=rare");
    assertThat(count.get("count").asInt()).isZero();
    JsonNode rest = json("/events/count?type=rare&after=" + count.get("next").asString());
    assertThat(rest.get("count").asInt()).isOne();
    assertThat(rest.get("next").isNull()).isTrue();
    assertThat(api.get("viewer", "/outboxes/orders/events/count?after=nowhere").statusCode())
        .isEqualTo(400);
    assertThat(ids("events", "list", "--type", "rare")).containsExactly("m20000");
    assertThat(run("events", "count", "--type", "rare").out()).isEqualTo("1\n");
  }

  @Test
  void answersAreThoseOfTheCommands() throws Exception {
    assertThat(texts("/events", "items", "eventId")).isEqualTo(ids("events", "list"));
    assertThat(texts("/events?state=parked", "items", "eventId"))
        .isEqualTo(ids("events", "list", "--state", "parked"))
        .containsExactly("e1");
    assertThat(texts("/events/latest?limit=2", "items", "eventId")).containsExactly("e4", "e3");
    String next = json("/events/latest?limit=2").get("next").asString();
    assertThat(texts("/events/latest?limit=2&after=" + next, "items", "eventId"))
        .containsExactly("e2", "e1");
    assertThat(json("/events/count?state=pending").get("count").asInt()).isEqualTo(2);
    assertThat(json("/event?id=e1").get("event").get("detail").asString()).isEqualTo("too large");
    assertThat(json("/keys/blocked").get("items").get(0).get("head").get("eventId").asString())
        .isEqualTo("e1");
    sql(
        "update waybill_row_state set failure_group = '"
            + "ab".repeat(16)
            + "' where state = 'PARKED'");
    JsonNode failures = json("/failures");
    assertThat(failures.get("items")).hasSize(1);
    String group = failures.get("items").get(0).get("id").asString();
    assertThat(texts("/events?group=" + group, "items", "eventId")).containsExactly("e1");
    assertThat(run("destinations", "pause", "audit", "--yes", "--reason", "r").code())
        .isEqualTo(ExitCode.OK);
    assertThat(json("").get("paused").get(0).asString()).isEqualTo("audit");
    assertThat(texts("/destinations", "items", "destination"))
        .as("with those of the routes")
        .isEqualTo(run("destinations", "list", "--json").jsonTexts("destination"))
        .contains("audit");
    assertThat(texts("/audit", "items", "verb")).containsExactly("PAUSE");
  }

  @Test
  void pagesFollowEachOther() throws Exception {
    List<String> all = new ArrayList<>();
    String after = "";
    do {
      JsonNode page = json("/events?limit=3" + after);
      page.get("items").forEach(item -> all.add(item.get("eventId").asString()));
      JsonNode next = page.get("next");
      after = next.isNull() ? "" : "&after=" + encoded(next.asString());
    } while (!after.isEmpty());
    assertThat(all).containsExactly("e1", "e2", "e3", "e4");
  }

  @Test
  void payloadsAndHeadersAreShownToNobodyUnlessRevealed() throws Exception {
    sql("update waybill_outbox set payload = convert_to('{\"n\":\"p4yl0ad\"}', 'UTF8')");
    String inBase64 = Base64.getEncoder().encodeToString("{\"n\":\"p4yl0ad\"}".getBytes(UTF_8));
    String job = planned();
    for (Operation operation : description.operations()) {
      if (operation.path().endsWith("/event/payload")) {
        continue;
      }
      // A template of a route names its field.
      String body =
          ask("administrator", operation, job).body().replace("orders-{header.colour}", "");
      assertThat(body).as(operation.path()).doesNotContain("p4yl0ad", inBase64, "colour");
    }
  }

  @Test
  void aProblemNamesFieldRuleAndValue() throws Exception {
    HttpResponse<String> answer = api.get("viewer", SHOP + "/events?limit=0");
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.headers().firstValue("Content-Type").orElse(""))
        .startsWith("application/problem+json");
    JsonNode problem = ApiServer.json(answer);
    assertThat(problem.get("field").asString()).isEqualTo("limit");
    assertThat(problem.get("rule").asString()).isEqualTo("must be a number from 1 to 1000");
    assertThat(problem.get("value").asString()).isEqualTo("0");

    assertThat(api.get("viewer", SHOP + "/events?colour=red").body())
        .contains("Unknown parameter", "eventId, state, type");
    assertThat(api.get("viewer", SHOP + "/events?state=par%E2%84%AAed").statusCode())
        .isEqualTo(200);
    assertThat(api.get("viewer", "/outboxes?colour=red").statusCode()).isEqualTo(400);
    assertThat(api.get("viewer", "/openapi.json?x=1").statusCode()).isEqualTo(400);
    assertThat(api.get("viewer", SHOP + "/event").body()).contains("id must be given");
    assertThat(api.get("viewer", SHOP + "/events?after=zz").body()).contains("after must be");
    assertThat(api.get("viewer", SHOP + "/events?group=zz").body()).contains("group must be");
    assertThat(api.send("POST", "viewer", ApiServer.password("viewer"), SHOP).statusCode())
        .isEqualTo(405);
  }

  /** And nothing else: what a command shows, the API shows, but for these. */
  @Test
  void everyCommandThatShowsAnOutboxIsInTheApi() {
    Set<String> commands = new TreeSet<>();
    collect("", Commands.commandLine(new CommandContext(Map.of(), "operator")), commands);
    assertThat(commands).containsAll(WITHOUT_AN_ADDRESS);
    commands.removeAll(WITHOUT_AN_ADDRESS);

    assertThat(
            description
                .document()
                .get("paths")
                .valueStream()
                .flatMap(path -> path.valueStream())
                .map(operation -> operation.path("x-waybill-command").asString(""))
                .filter(command -> !command.isEmpty()))
        .containsOnly(commands.toArray(String[]::new))
        .containsAll(commands);
  }

  private static void collect(String prefix, CommandLine line, Set<String> commands) {
    for (CommandLine sub : line.getSubcommands().values()) {
      String name = prefix + sub.getCommandName();
      if (sub.getSubcommands().isEmpty()) {
        commands.add(name);
      } else {
        collect(name + " ", sub, commands);
      }
    }
  }

  private JsonNode json(String path) throws Exception {
    HttpResponse<String> answer = api.get("viewer", SHOP + path);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return ApiServer.json(answer);
  }

  private List<String> texts(String path, String list, String member) throws Exception {
    return json(path).get(list).valueStream().map(each -> each.get(member).asString()).toList();
  }
}
