package io.waybill.spring.internal.api;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** What one listener of the API's stream has not been told yet. For one thread at a time. */
final class ChangeNews implements Function<Object, String> {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Map<String, Answers.JobView> jobs = new HashMap<>();
  private Answers.@Nullable Status status;
  private boolean failing;

  @Override
  public String apply(Object said) {
    if (said instanceof ApiProblem problem) {
      boolean known = failing;
      failing = true;
      return known
          ? ""
          : "event: problem\ndata: " + JSON.writeValueAsString(problem.body()) + "\n\n";
    }
    Answers.Change all = (Answers.Change) said;
    List<Answers.JobView> changed =
        all.jobs().stream().filter(job -> !job.equals(jobs.get(job.id()))).toList();
    Answers.Status now = !failing && Objects.equals(all.status(), status) ? null : all.status();
    failing = false;
    status = all.status();
    jobs.clear();
    all.jobs().forEach(job -> jobs.put(job.id(), job));
    return now == null && changed.isEmpty()
        ? ""
        : "data: " + JSON.writeValueAsString(new Answers.Change(now, changed)) + "\n\n";
  }
}
