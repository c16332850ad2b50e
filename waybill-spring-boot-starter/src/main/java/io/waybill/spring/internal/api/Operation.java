package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be asked of an outbox.
 *
 * @param method how it is asked
 * @param role the least that somebody needs
 * @param path its address below that of the outbox
 * @param command the command of the command line that does the same
 * @param summary one sentence
 * @param parameters what it takes: in the address, or in the body of a change
 * @param answer a record, of which its result is one
 * @param handler gives the answer
 */
record Operation(
    Method method,
    Role role,
    String path,
    String command,
    String summary,
    List<Parameter> parameters,
    Class<? extends Record> answer,
    Handler handler) {

  /** How something is asked. */
  enum Method {
    /** A question, which changes nothing. */
    GET,
    /** A change. */
    POST;

    /** Its name in a description. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Gives the answer. */
  interface Handler {
    Record handle(Admin admin, Call call);
  }

  Operation {
    parameters = List.copyOf(parameters);
  }

  /** A question. */
  static Operation question(
      String path,
      String command,
      String summary,
      List<Parameter> parameters,
      Class<? extends Record> answer,
      Handler handler) {
    return new Operation(
        Method.GET, Role.VIEWER, path, command, summary, parameters, answer, handler);
  }

  /** A change. */
  static Operation change(
      String path,
      String command,
      String summary,
      List<Parameter> parameters,
      Class<? extends Record> answer,
      Handler handler) {
    return new Operation(
        Method.POST, Role.OPERATOR, path, command, summary, parameters, answer, handler);
  }

  /** The same for nobody below a role. */
  Operation by(Role least) {
    return new Operation(method, least, path, command, summary, parameters, answer, handler);
  }

  /** Whether it has many answers, one after the other. */
  boolean isStream() {
    return answer == Answers.Change.class;
  }

  @Nullable Parameter parameter(String name) {
    return parameters.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }
}
