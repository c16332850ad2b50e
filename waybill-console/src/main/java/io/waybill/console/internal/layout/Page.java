package io.waybill.console.internal.layout;

import org.jspecify.annotations.Nullable;

/** A page about one outbox; its template stands beside it. Thread-safe. */
public interface Page {
  /**
   * Its address, below that of the outbox.
   *
   * @return one segment
   */
  String path();

  /**
   * Its content.
   *
   * @param visit the request
   * @return template and model, or what else is the answer
   * @throws io.waybill.spring.internal.api.ApiProblem if the API has no answer
   */
  Reply show(Visit visit);

  /**
   * Whether the part {@code now} of the page is streamed: it is the same for all who may look.
   *
   * @return usually not
   */
  default boolean isStreamed() {
    return false;
  }

  /**
   * Does what a form of this page asks for.
   *
   * @param visit the request, with the fields of the form
   * @return the address that shows the result, or the result itself where no address may have it;
   *     null if the page has no form
   * @throws io.waybill.spring.internal.api.ApiProblem if the API refuses it
   */
  default @Nullable Reply submit(Visit visit) {
    return null;
  }

  /**
   * Whether there is something to look at; else it leads on, or is a file.
   *
   * @return true, for most
   */
  default boolean isSeen() {
    return true;
  }
}
