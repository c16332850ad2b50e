package io.waybill.spring.internal.api;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.util.ServletRequestPathUtils;
import tools.jackson.databind.json.JsonMapper;

/** The way to the API through Spring MVC, whose security says who asks. Thread-safe. */
public final class ApiRequestHandler implements HttpRequestHandler {
  /** Where the API is, below the application's context path. */
  public static final String PATH = "/api/v1";

  /** What it takes, and nothing else: an application may have addresses beside it. */
  public static final List<String> ADDRESSES =
      List.of(PATH + "/outboxes", PATH + "/outboxes/**", PATH + "/openapi.json");

  private static final String DESCRIPTION = "/openapi.json";
  private static final Logger LOG = LoggerFactory.getLogger(ApiRequestHandler.class);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final OutboxApi api;

  /**
   * Leads to an API.
   *
   * @param api what answers
   */
  public ApiRequestHandler(OutboxApi api) {
    this.api = api;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setHeader("Cache-Control", "no-store");
    response.setHeader("X-Content-Type-Options", "nosniff");
    try {
      Object answer = answer(request);
      if (answer instanceof Feed feed) {
        feed.listen(new ChangeNews(), request, response);
      } else {
        send(response, 200, "application/json", answer);
      }
    } catch (ApiProblem problem) {
      send(response, problem);
    } catch (RuntimeException e) {
      LOG.error("The API could not answer {}", request.getRequestURI(), e);
      send(response, ApiProblem.internal());
    }
  }

  private Object answer(HttpServletRequest request) {
    String path = path(request).substring(PATH.length());
    Operation.Method method = method(request.getMethod());
    if (path.equals(DESCRIPTION) && method == Operation.Method.GET) {
      Parameter.requireNone(parameters(request.getQueryString()).keySet());
      return OpenApi.document();
    }
    return api.answer(
        new OutboxApi.Question(
            method,
            path,
            String.valueOf(request.getRemoteUser()),
            request::isUserInRole,
            () ->
                method == Operation.Method.GET
                    ? parameters(request.getQueryString())
                    : RequestBody.of(request)));
  }

  private static Operation.Method method(String name) {
    return switch (name) {
      case "GET", "HEAD" -> Operation.Method.GET;
      case "POST" -> Operation.Method.POST;
      default -> throw ApiProblem.method(name, EnumSet.allOf(Operation.Method.class));
    };
  }

  /** Decoded, below the application and its servlet: what led to this handler. */
  private static String path(HttpServletRequest request) {
    return ServletRequestPathUtils.parse(request).pathWithinApplication().elements().stream()
        .map(
            element ->
                element instanceof PathContainer.PathSegment segment
                    ? segment.valueToMatch()
                    : element.value())
        .collect(Collectors.joining());
  }

  /** Not by the request: what it does with parameters that break a rule depends on the server. */
  private static Map<String, List<String>> parameters(@Nullable String query) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    if (query != null) {
      for (String each : query.split("&", -1)) {
        String[] parts = each.split("=", 2);
        String value = parts.length < 2 ? "" : decoded(parts[1]);
        parameters.computeIfAbsent(decoded(parts[0]), name -> new ArrayList<>()).add(value);
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiProblem.invalid("query", "must be encoded by percent signs", text);
    }
  }

  /**
   * Sends a problem as the answer.
   *
   * @param response where to
   * @param problem what is wrong
   * @throws IOException if nobody listens any more
   */
  public static void send(HttpServletResponse response, ApiProblem problem) throws IOException {
    if (problem.allowed() != null) {
      response.setHeader("Allow", problem.allowed());
    }
    send(response, problem.status(), "application/problem+json", problem.body());
  }

  /**
   * A part of an answer as it is sent.
   *
   * @param part a record of an answer
   * @return JSON
   */
  public static byte[] json(Object part) {
    return JSON.writeValueAsBytes(part);
  }

  private static void send(HttpServletResponse response, int status, String type, Object body)
      throws IOException {
    byte[] bytes = json(body);
    response.setStatus(status);
    response.setContentType(type);
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
  }
}
