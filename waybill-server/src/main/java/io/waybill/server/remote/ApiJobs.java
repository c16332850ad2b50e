package io.waybill.server.remote;

import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.Instruction;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobRequests;
import io.waybill.internal.jdbc.operator.JobRun.Pace;
import io.waybill.internal.jdbc.operator.JobRun.Tally;
import io.waybill.store.OperatorRequest.Verb;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Jobs through an API, whose processes carry them out; who asks is who has logged in. */
final class ApiJobs implements JobRequests {
  private static final int PAGE = 1_000;
  private static final String JOB = "job";

  private final ApiQuestions api;

  ApiJobs(ApiQuestions api) {
    this.api = api;
  }

  @Override
  public Job plan(Verb verb, EventFilter filter, Pace pace, String by) {
    Map<String, @Nullable Object> plan = ApiQuestions.conditions(filter);
    plan.put("verb", verb.name());
    plan.put("canary", pace.canary());
    plan.put("rate", pace.rate());
    plan.put("stopAfter", pace.stopAfter());
    return api.change("/jobs", plan, "").map(this::job).orElseThrow();
  }

  @Override
  public Optional<Job> find(long id) {
    return api.find("/job", Long.toString(id), JOB).map(this::job);
  }

  @Override
  public List<Job> list(long before, int limit) {
    String after = before == Long.MAX_VALUE ? null : Long.toString(before);
    return api.pages("/jobs", Map.of(), after, limit, PAGE, this::job);
  }

  @Override
  public List<Job.Event> events(long id, Job.@Nullable Outcome outcome, int after, int limit) {
    Map<String, @Nullable Object> which = new LinkedHashMap<>();
    which.put("id", Long.toString(id));
    which.put("outcome", outcome == null ? null : outcome.name());
    return api.pages(
        "/job/events",
        which,
        Integer.toString(after),
        limit,
        PAGE,
        node -> api.as(node, Job.Event.class));
  }

  @Override
  public Optional<Job> run(long id, Instruction by) {
    return change("/job/run", Map.of("id", Long.toString(id), "reason", by.reason()));
  }

  @Override
  public Optional<Job> pause(long id, String by) {
    return change("/job/pause", Map.of("id", Long.toString(id)));
  }

  @Override
  public Optional<Job> resume(long id, String by) {
    return change("/job/resume", Map.of("id", Long.toString(id)));
  }

  @Override
  public Optional<Job> cancel(long id, String by) {
    return change("/job/cancel", Map.of("id", Long.toString(id)));
  }

  private Optional<Job> change(String path, Map<String, String> body) {
    return api.change(path, body, JOB).map(this::job);
  }

  private Job job(JsonNode node) {
    return new Job(
        Long.parseLong(node.path("id").asString("")),
        api.as(node.path("state"), Job.State.class),
        node.path("verb").asString(""),
        ApiQuestions.text(node, "source"),
        false,
        filter(node.path("filter")),
        node.path("events").path("count").asInt(),
        node.path("events").path("more").asBoolean(),
        new Pace(
            node.path("canary").asInt(), node.path("rate").asInt(), node.path("stopAfter").asInt()),
        api.as(node, Tally.class),
        node.path("open").asInt(),
        node.path("plannedBy").asString(""),
        api.as(node.path("plannedAt"), Instant.class),
        ApiQuestions.text(node, "requestedBy"),
        ApiQuestions.text(node, "reason"),
        api.as(node.path("startedAt"), Instant.class),
        api.as(node.path("endedAt"), Instant.class),
        ApiQuestions.text(node, "note"),
        ApiQuestions.text(node, "runner"));
  }

  private EventFilter filter(JsonNode node) {
    String group = ApiQuestions.text(node, "group");
    return new EventFilter(
        List.of(),
        api.as(node.path("state"), EventStatus.class),
        ApiQuestions.text(node, "type"),
        ApiQuestions.text(node, "aggregateType"),
        ApiQuestions.text(node, "aggregateId"),
        ApiQuestions.text(node, "reason"),
        api.as(node.path("since"), Instant.class),
        api.as(node.path("before"), Instant.class),
        group == null ? null : FailureGroup.filter(group).group(),
        ApiQuestions.text(node, "traceId"));
  }
}
