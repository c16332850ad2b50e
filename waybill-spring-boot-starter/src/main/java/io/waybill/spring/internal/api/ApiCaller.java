package io.waybill.spring.internal.api;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Asks the API from within its process: with the rights of a caller, and the checks, bounds and
 * masks of a request by HTTP. For one request, by its thread.
 */
public final class ApiCaller {
  private final OutboxApi api;
  private final String name;
  private final Predicate<String> has;

  /**
   * Asks for a caller.
   *
   * @param api the API
   * @param name name of the caller, for the audit
   * @param has whether the caller has a role, as {@link Role#role()} names it
   */
  public ApiCaller(OutboxApi api, String name, Predicate<String> has) {
    this.api = api;
    this.name = name;
    this.has = has;
  }

  /**
   * The outboxes that the caller may look at.
   *
   * @return names in the order of the configuration
   */
  public List<String> outboxes() {
    return api.outboxes(has).items();
  }

  /**
   * Whether the caller has a role for an outbox.
   *
   * @param least the least one
   * @param outbox name of the outbox
   */
  public boolean may(Role least, String outbox) {
    return OutboxApi.may(has, least, outbox);
  }

  /**
   * Asks a question.
   *
   * @param outbox name of the outbox
   * @param path address of the question below that of the outbox
   * @param parameters values by name
   * @param answer type of the answer, as the catalogue has it
   * @return the answer
   * @throws ApiProblem if there is none
   */
  public <T extends Record> T ask(
      String outbox, String path, Map<String, List<String>> parameters, Class<T> answer) {
    return answer.cast(answer(Operation.Method.GET, outbox, path, parameters));
  }

  /**
   * Asks for a change.
   *
   * @param outbox name of the outbox
   * @param path address of the change below that of the outbox
   * @param parameters values by name
   * @param answer type of the answer, as the catalogue has it
   * @return the answer
   * @throws ApiProblem if it is refused
   */
  public <T extends Record> T change(
      String outbox, String path, Map<String, List<String>> parameters, Class<T> answer) {
    return answer.cast(answer(Operation.Method.POST, outbox, path, parameters));
  }

  private Object answer(
      Operation.Method method, String outbox, String path, Map<String, List<String>> parameters) {
    return api.answer(
        new OutboxApi.Question(method, "/outboxes/" + outbox + path, name, has, () -> parameters));
  }
}
