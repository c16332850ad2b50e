package io.waybill.spring.internal.api;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The body of a change: a JSON object of texts, numbers and lists of texts. */
final class RequestBody {
  private static final int MOST_BYTES = 1 << 20;
  private static final Set<String> SAME_SITE = Set.of("same-origin", "none");
  private static final String OBJECT = "must be a JSON object";
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private RequestBody() {}

  /** By name; browsers that another site leads here are refused. */
  static Map<String, List<String>> of(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    if (site != null && !SAME_SITE.contains(site)) {
      throw ApiProblem.site(site);
    }
    if (!isJson(request.getContentType())) {
      throw ApiProblem.mediaType(String.valueOf(request.getContentType()));
    }
    if (request.getQueryString() != null) {
      throw ApiProblem.body("has all parameters; the address takes none");
    }
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    JsonNode body = read(request);
    if (body == null || !body.isObject()) {
      throw ApiProblem.body(OBJECT);
    }
    body.propertyStream()
        .filter(each -> !each.getValue().isNull())
        .forEach(each -> parameters.put(each.getKey(), values(each.getKey(), each.getValue())));
    return parameters;
  }

  private static boolean isJson(@Nullable String type) {
    try {
      return type != null
          && MediaType.APPLICATION_JSON.equalsTypeAndSubtype(MediaType.valueOf(type));
    } catch (InvalidMediaTypeException e) {
      return false;
    }
  }

  private static @Nullable JsonNode read(HttpServletRequest request) {
    try {
      byte[] bytes = request.getInputStream().readNBytes(MOST_BYTES + 1);
      if (bytes.length > MOST_BYTES) {
        throw ApiProblem.body("must have at most %d bytes".formatted(MOST_BYTES));
      }
      return JSON.readTree(bytes);
    } catch (JacksonException | IOException e) {
      throw ApiProblem.body(OBJECT);
    }
  }

  private static List<String> values(String name, JsonNode value) {
    List<String> values = new ArrayList<>();
    for (JsonNode each : value.isArray() ? value.valueStream().toList() : List.of(value)) {
      if (each.isContainer() || each.isNull()) {
        String type = each.getNodeType().name().toLowerCase(Locale.ROOT);
        throw ApiProblem.invalid(name, "must be a text, a number or a list of texts", type);
      }
      values.add(each.asString());
    }
    return values;
  }
}
