package io.waybill.console.internal.layout;

import io.waybill.spring.internal.api.ApiCaller;
import io.waybill.spring.internal.api.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One request for a page of an outbox. For its thread. */
public final class Visit {
  private final ApiCaller caller;
  private final String outbox;
  private final Map<String, String[]> parameters;
  private final List<Question> asked = new ArrayList<>();

  /**
   * A question that the API has answered.
   *
   * @param path its address below that of the outbox
   * @param parameters values by name
   */
  public record Question(String path, Map<String, List<String>> parameters) {}

  /**
   * A request.
   *
   * @param caller who asks
   * @param outbox name of the outbox
   * @param parameters those of the address, and of a form
   */
  public Visit(ApiCaller caller, String outbox, Map<String, String[]> parameters) {
    this.caller = caller;
    this.outbox = outbox;
    this.parameters = parameters;
  }

  /** The name of the outbox. */
  public String outbox() {
    return outbox;
  }

  /**
   * A parameter of the address or the form.
   *
   * @return its value without blanks around it; empty if there is none
   */
  public String text(String name) {
    return whole(name).strip();
  }

  /**
   * A parameter of the address or the form, as it was given.
   *
   * @return its value; empty if there is none
   */
  public String whole(String name) {
    return texts(name).stream().findFirst().orElse("");
  }

  /**
   * A parameter that may be repeated.
   *
   * @return its values as they were given
   */
  public List<String> texts(String name) {
    String[] values = parameters.get(name);
    return values == null ? List.of() : List.of(values);
  }

  /**
   * Asks the API.
   *
   * @param path address of the question below that of the outbox
   * @param answer type of the answer
   * @param parameters names and values in turn; those without a value are left out
   * @throws io.waybill.spring.internal.api.ApiProblem if there is no answer
   */
  public <T extends Record> T ask(String path, Class<T> answer, @Nullable String... parameters) {
    return ask(path, answer, given(parameters));
  }

  /**
   * Asks the API.
   *
   * @param path address of the question below that of the outbox
   * @param answer type of the answer
   * @param given values by name
   * @throws io.waybill.spring.internal.api.ApiProblem if there is no answer
   */
  public <T extends Record> T ask(String path, Class<T> answer, Map<String, List<String>> given) {
    T answered = caller.ask(outbox, path, given, answer);
    asked.add(new Question(path, given));
    return answered;
  }

  /**
   * What the API was asked and has answered; no changes.
   *
   * @return in the order in which it was asked
   */
  public List<Question> asked() {
    return asked;
  }

  /**
   * Asks the API for a change.
   *
   * @param path address of the change below that of the outbox
   * @param answer type of the answer
   * @param parameters names and values in turn; those without a value are left out
   * @throws io.waybill.spring.internal.api.ApiProblem if it is refused
   */
  public <T extends Record> T change(String path, Class<T> answer, @Nullable String... parameters) {
    return change(path, answer, given(parameters));
  }

  /**
   * Asks the API for a change.
   *
   * @param path address of the change below that of the outbox
   * @param answer type of the answer
   * @param parameters values by name
   * @throws io.waybill.spring.internal.api.ApiProblem if it is refused
   */
  public <T extends Record> T change(
      String path, Class<T> answer, Map<String, List<String>> parameters) {
    return caller.change(outbox, path, parameters, answer);
  }

  private static Map<String, List<String>> given(@Nullable String... parameters) {
    Map<String, List<String>> given = new LinkedHashMap<>();
    for (int i = 0; i < parameters.length; i += 2) {
      String value = parameters[i + 1];
      if (value != null && !value.isEmpty()) {
        given.put(Objects.requireNonNull(parameters[i]), List.of(value));
      }
    }
    return given;
  }

  /** Whether the caller has a role for the outbox. */
  public boolean may(Role least) {
    return caller.may(least, outbox);
  }
}
