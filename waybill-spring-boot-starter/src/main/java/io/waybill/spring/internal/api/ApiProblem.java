package io.waybill.spring.internal.api;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An answer that is no result: problem details by RFC 9457, with field, rule and value. */
public final class ApiProblem extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int LONGEST_VALUE = 200;

  private final int status;
  private final String title;
  private final @Nullable String field;
  private final @Nullable String rule;
  private final @Nullable String value;

  private ApiProblem(
      int status,
      String title,
      String detail,
      @Nullable String field,
      @Nullable String rule,
      @Nullable String value) {
    super(detail);
    this.status = status;
    this.title = title;
    this.field = field;
    this.rule = rule;
    this.value = value == null ? null : cut(value);
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "...";
  }

  /** A parameter that breaks a rule. */
  static ApiProblem invalid(String field, String rule, String value) {
    return new ApiProblem(
        400,
        "Invalid parameter",
        "%s %s, but is '%s'".formatted(field, rule, cut(value)),
        field,
        rule,
        value);
  }

  /** Parameters that do not go together, or not with the broker. */
  static ApiProblem unfit(String why) {
    return new ApiProblem(400, "Invalid parameter", why, null, null, null);
  }

  /** A parameter that the operation does not have. */
  static ApiProblem unknown(String field, String known) {
    String rule = known.isEmpty() ? "this address takes none" : "must be one of " + known;
    return new ApiProblem(
        400,
        "Unknown parameter",
        "parameter '%s': %s".formatted(cut(field), rule),
        field,
        rule,
        null);
  }

  /** There is no such thing. */
  static ApiProblem missing(String what, String id) {
    return new ApiProblem(
        404, "Not found", "There is no %s '%s'".formatted(what, cut(id)), what, "must exist", id);
  }

  /**
   * No login, or a wrong one.
   *
   * @return the problem
   */
  public static ApiProblem unauthorized() {
    return unauthorized("Log in first");
  }

  /**
   * A login that is refused.
   *
   * @param why one sentence without secrets
   * @return the problem
   */
  public static ApiProblem unauthorized(String why) {
    return new ApiProblem(401, "Unauthorized", why, null, null, null);
  }

  /**
   * Too many wrong passwords.
   *
   * @param seconds when to try again
   * @return the problem
   */
  public static ApiProblem tooManyLogins(long seconds) {
    return new ApiProblem(
        429,
        "Too many logins",
        "Too many passwords were wrong; try again in %d seconds".formatted(seconds),
        null,
        null,
        null);
  }

  /**
   * Nobody knows whether a token is right.
   *
   * @return the problem
   */
  public static ApiProblem issuerAway() {
    return new ApiProblem(
        503,
        "Issuer unavailable",
        "The issuer of tokens does not tell its keys; try again soon",
        null,
        null,
        null);
  }

  /** The same in other words. */
  static ApiProblem missing(String why) {
    return new ApiProblem(404, "Not found", why, null, null, null);
  }

  /** The caller has not the right. */
  static ApiProblem forbidden(Role role, String outbox) {
    return new ApiProblem(
        403,
        "Forbidden",
        "This needs the role %s, or %s".formatted(role.role(), role.role(cut(outbox))),
        null,
        null,
        null);
  }

  /** A method that this address does not take. */
  static ApiProblem method(String method, Set<Operation.Method> there) {
    String allowed = there.stream().map(Enum::name).sorted().collect(Collectors.joining(" or "));
    return new ApiProblem(
        405,
        "Method not allowed",
        "The method must be " + allowed,
        "method",
        "must be " + allowed,
        method);
  }

  /** A thing is not in a state in which this can be done. */
  static ApiProblem conflict(String why) {
    return new ApiProblem(409, "Conflict", why, null, null, null);
  }

  /** A body that is no JSON object of plain values. */
  static ApiProblem body(String rule) {
    return new ApiProblem(400, "Invalid body", "The body " + rule, "body", rule, null);
  }

  /**
   * A change that a browser could be led to by another site.
   *
   * @param site what the browser says of where it comes from
   * @return the problem
   */
  public static ApiProblem site(String site) {
    return new ApiProblem(
        403,
        "Forbidden",
        "A change must come from this site",
        "Sec-Fetch-Site",
        "must be same-origin or none",
        site);
  }

  /**
   * A change by the cookie of a login, without what the page of the same site knows.
   *
   * @param header the header that has it
   * @return the problem
   */
  public static ApiProblem csrf(String header) {
    return new ApiProblem(
        403,
        "Forbidden",
        "A change by a browser's login needs the header %s, with what GET login/user tells"
            .formatted(header),
        header,
        "must be that of the login",
        null);
  }

  /** A body of another type: a form of another site can send one, JSON it cannot. */
  static ApiProblem mediaType(String type) {
    return new ApiProblem(
        415,
        "Unsupported media type",
        "A change has a body of JSON",
        "Content-Type",
        "must be application/json",
        type);
  }

  /** A fault of the program; the log has the details. */
  static ApiProblem internal() {
    return new ApiProblem(
        500, "Internal error", "The log of the server has the details", null, null, null);
  }

  /**
   * As many questions are under way as may be.
   *
   * @return the problem
   */
  public static ApiProblem busy() {
    return new ApiProblem(
        503, "Busy", "As many requests are under way as may be; try again soon", null, null, null);
  }

  /** The start-up checks are under way. */
  static ApiProblem checking() {
    return new ApiProblem(
        503,
        "Checking",
        "The checks are under way, and database or broker take their time; try again soon",
        null,
        null,
        null);
  }

  /** The database does not answer, or refuses. */
  static ApiProblem database(String why) {
    return new ApiProblem(503, "Database unavailable", why, null, null, null);
  }

  /** The broker does not answer, or refuses. */
  static ApiProblem broker(String why) {
    return new ApiProblem(503, "Broker unavailable", why, null, null, null);
  }

  /** The database user of the API lacks a right that is granted apart. */
  static ApiProblem grant(String why) {
    return new ApiProblem(503, "Missing grant", why, null, null, null);
  }

  /** What is allowed instead of a method that is not; null of another problem. */
  @Nullable String allowed() {
    if (status != 405 || rule == null) {
      return null;
    }
    return Arrays.stream(Operation.Method.values())
        .filter(method -> rule.contains(method.name()))
        .map(method -> method == Operation.Method.GET ? "GET, HEAD" : method.name())
        .collect(Collectors.joining(", "));
  }

  /**
   * HTTP status.
   *
   * @return 400 to 503
   */
  public int status() {
    return status;
  }

  /**
   * Short name of its kind, the same for all of them.
   *
   * @return a few words
   */
  public String title() {
    return title;
  }

  /** What is sent: members of the problem details. */
  Map<String, Object> body() {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("type", "about:blank");
    body.put("title", title);
    body.put("status", status);
    body.put("detail", String.valueOf(getMessage()));
    putIfGiven(body, "field", field);
    putIfGiven(body, "rule", rule);
    putIfGiven(body, "value", value);
    return body;
  }

  private static void putIfGiven(Map<String, Object> body, String name, @Nullable String value) {
    if (value != null) {
      body.put(name, value);
    }
  }
}
