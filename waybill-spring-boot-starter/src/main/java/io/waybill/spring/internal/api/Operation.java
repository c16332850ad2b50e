package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that can be asked of an outbox.
 *
 * @param path its address below that of the outbox
 * @param command the command of the command line that shows the same
 * @param summary one sentence
 * @param parameters what it takes
 * @param answer a record, of which its result is one
 * @param handler gives the answer
 */
record Operation(
    String path,
    String command,
    String summary,
    List<Parameter> parameters,
    Class<? extends Record> answer,
    Handler handler) {

  /** Gives the answer. */
  interface Handler {
    Record handle(Admin admin, Call call);
  }

  Operation {
    parameters = List.copyOf(parameters);
  }

  @Nullable Parameter parameter(String name) {
    return parameters.stream().filter(each -> each.name().equals(name)).findFirst().orElse(null);
  }
}
