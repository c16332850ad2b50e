package io.waybill.server.remote;

import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import io.waybill.server.terminal.Output;
import io.waybill.spring.internal.config.Printable;
import io.waybill.store.StoreException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** What to tell of answers that are no results. */
final class ApiProblems {
  private static final String JSON = "application/json";
  private static final String PROBLEM = "application/problem+json";

  private ApiProblems() {}

  /**
   * Reads an answer.
   *
   * @param url the address that the user has given
   * @param answer what was answered there
   * @param what field of the problem for which nothing is returned, or none
   */
  static Optional<JsonNode> read(URI url, HttpResponse<String> answer, String what) {
    int status = answer.statusCode();
    String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(" *;.*", "");
    if (status == 200) {
      return Optional.of(result(url, type.equals(JSON) ? json(answer.body()) : null, answer));
    }
    JsonNode problem = type.equals(PROBLEM) ? json(answer.body()) : null;
    if (problem != null
        && status == 404
        && !what.isEmpty()
        && problem.path("field").asString("").equals(what)) {
      return Optional.empty();
    }
    throw refusal(url, answer, problem);
  }

  private static @Nullable JsonNode json(String body) {
    try {
      return Output.JSON.readTree(body);
    } catch (JacksonException e) {
      return null;
    }
  }

  private static JsonNode result(URI url, @Nullable JsonNode result, HttpResponse<String> answer) {
    if (result == null || !result.isObject()) {
      throw noApi(url, answer);
    }
    return result;
  }

  private static RuntimeException refusal(
      URI url, HttpResponse<String> answer, @Nullable JsonNode problem) {
    int status = answer.statusCode();
    String said = problem == null ? "no reason given" : problem.path("detail").asString("");
    String text = "The API at %s answers %d: %s".formatted(url, status, Printable.line(said));
    return switch (status) {
      case 401 ->
          new CommandFailure(
              ExitCode.UNREACHABLE, text + "; --token-file or WAYBILL_TOKEN gives the login");
      case 429 -> new CommandFailure(ExitCode.UNREACHABLE, text);
      case 500, 502, 503, 504 -> new StoreException(text, null, true);
      case 400 -> problem == null ? noApi(url, answer) : new CommandFailure(ExitCode.USAGE, text);
      case 403, 409 -> new CommandFailure(ExitCode.FINDINGS, text);
      default -> problem == null ? noApi(url, answer) : new CommandFailure(ExitCode.FINDINGS, text);
    };
  }

  private static CommandFailure noApi(URI url, HttpResponse<String> answer) {
    String more =
        answer
            .headers()
            .firstValue("Location")
            .map(place -> " and leads to " + Printable.line(place))
            .orElse("");
    return new CommandFailure(
        ExitCode.UNREACHABLE,
        "There is no API at %s: %s answers %d%s; --url must be the address before /api/v1"
            .formatted(url, answer.request().uri().getPath(), answer.statusCode(), more));
  }
}
