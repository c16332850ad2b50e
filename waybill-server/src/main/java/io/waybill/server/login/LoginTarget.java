package io.waybill.server.login;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URLEncoder;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;

/**
 * Where a login leads: to the page that was asked for. All addresses are relative, since a proxy
 * may have taken away a path, and since no other site is one of them.
 */
final class LoginTarget {
  static final String PARAMETER = "to";
  static final String PAGES = "/console";

  private static final Set<String> METHODS = Set.of(HttpMethod.GET.name(), HttpMethod.POST.name());
  private static final int LONGEST = 2_000;
  private static final Pattern PAGE =
      Pattern.compile(PAGES + "(?:/[\\w.~!$&'()*+,;=:@%/-]*)?(?:\\?[\\w.~!$&'()*+,;=:@%/?-]*)?");

  private LoginTarget() {}

  /**
   * Whether somebody looks at a page, or sends its form, rather than a program that asks. A form
   * goes to the address of its page, which is shown again after the login.
   */
  static boolean isPage(HttpServletRequest request) {
    String mode = request.getHeader("Sec-Fetch-Mode");
    String path = request.getServletPath();
    return METHODS.contains(request.getMethod())
        && (mode == null || mode.equals("navigate"))
        && (path.equals(PAGES) || path.startsWith(PAGES + "/"))
        && takesHtml(request.getHeader(HttpHeaders.ACCEPT));
  }

  private static boolean takesHtml(@Nullable String accept) {
    try {
      return MediaType.parseMediaTypes(accept).stream()
          .anyMatch(type -> type.equalsTypeAndSubtype(MediaType.TEXT_HTML));
    } catch (InvalidMediaTypeException e) {
      return false;
    }
  }

  /** Leads from a page to the login, which leads back. */
  static void toLogin(HttpServletRequest request, HttpServletResponse response) {
    String path = path(request);
    String query = request.getQueryString();
    String page = valid(query == null ? path : path + "?" + query).orElse(PAGES);
    redirect(
        response,
        HttpStatus.FOUND,
        up(request) + "login?" + PARAMETER + "=" + URLEncoder.encode(page, UTF_8));
  }

  /** The page that a login is for; nothing if none is named, or none of this site. */
  static Optional<String> of(HttpServletRequest request) {
    return valid(request.getParameter(PARAMETER));
  }

  static Optional<String> valid(@Nullable String page) {
    return Optional.ofNullable(page)
        .filter(text -> text.length() <= LONGEST && PAGE.matcher(text).matches())
        .filter(text -> isBelow(text.split("\\?", 2)[0]));
  }

  /** Without segments that a browser would take away, encoded or not. */
  private static boolean isBelow(String path) {
    List<String> segments = List.of(path.substring(1).split("/", -1));
    return segments.stream().limit(segments.size() - 1L).noneMatch(String::isEmpty)
        && segments.stream()
            .map(each -> each.replaceAll("(?i)%2e", "."))
            .noneMatch(each -> each.equals(".") || each.equals(".."));
  }

  private static String path(HttpServletRequest request) {
    return request.getRequestURI().substring(request.getContextPath().length());
  }

  /** From the address of the request to that of the application. */
  static String up(HttpServletRequest request) {
    return "../".repeat((int) path(request).chars().filter(each -> each == '/').count() - 1);
  }

  /** Leads on from the login, to an address below that of the application, which begins with /. */
  static void onwards(HttpServletRequest request, HttpServletResponse response, String page) {
    redirect(response, HttpStatus.SEE_OTHER, up(request) + page.substring(1));
  }

  /** By a relative address, which the server would make absolute by its own name. */
  static void redirect(HttpServletResponse response, HttpStatus status, String where) {
    response.setStatus(status.value());
    response.setHeader(HttpHeaders.LOCATION, where);
  }
}
