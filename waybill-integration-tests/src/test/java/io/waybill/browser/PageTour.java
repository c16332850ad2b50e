package io.waybill.browser;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.LoadState;
import io.waybill.console.internal.ConsoleRequestHandler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Each page that links lead to: at two widths, light and dark. */
final class PageTour {
  private static final List<Integer> WIDTHS = List.of(1280, 320);
  private static final int PICTURE_WIDTH = 1100;
  private static final String VIOLATIONS =
      """
      axe.run(document).then(result => result.violations.map(each =>
        each.id + ': ' + each.nodes.map(node => node.target.join(' ')).join(', ')))""";
  private static final String LINKS =
      "document.querySelectorAll('a[href]').values().map(each => each.getAttribute('href')).toArray()";
  private static final String SCROLLS =
      "document.documentElement.scrollWidth > document.documentElement.clientWidth";

  private final Chromium chromium;
  private final Night night;
  private final List<String> findings = new ArrayList<>();

  PageTour(Chromium chromium, Night night) {
    this.chromium = chromium;
    this.night = night;
  }

  /** What does not hold, one line each. */
  List<String> run() throws IOException {
    Set<String> addresses;
    try (Person person = night.enter(chromium, WIDTHS.get(0), ColorScheme.LIGHT)) {
      addresses = followed(person);
    }
    String axe = axe();
    for (int width : WIDTHS) {
      for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
        try (Person person = night.enter(chromium, width, scheme)) {
          for (String address : addresses) {
            person.open(address);
            look(person, axe)
                .forEach(
                    each -> findings.add(address + ", " + width + ", " + scheme + ": " + each));
          }
        }
      }
    }
    return findings;
  }

  /** Makes a picture of each page; returns what does not hold. */
  List<String> pictures(Path folder) throws IOException {
    Files.createDirectories(folder);
    try (Person person = night.enter(chromium, PICTURE_WIDTH, ColorScheme.LIGHT)) {
      Set<String> made = new HashSet<>();
      for (String address : followed(person)) {
        if (made.add(path(address))) {
          person.open(address);
          person.picture(folder.resolve(path(address) + ".png"));
        }
      }
    }
    return findings;
  }

  /** Addresses of pages, one of each kind. */
  private Set<String> followed(Person person) {
    Set<String> found = new LinkedHashSet<>();
    Set<String> kinds = new HashSet<>();
    Deque<String> next = new ArrayDeque<>(List.of("overview"));
    while (!next.isEmpty()) {
      String address = next.remove();
      if (!address.contains("/")
          && !address.startsWith("#")
          && kinds.add(kind(address))
          && person.isPage(address)) {
        found.add(address);
        person.open(address);
        next.addAll(texts(person.page().evaluate(LINKS)));
      }
    }
    Set<String> missing = new TreeSet<>(ConsoleRequestHandler.PATHS);
    found.forEach(address -> missing.remove(path(address)));
    missing.forEach(path -> findings.add("no link leads to the page " + path));
    return found;
  }

  private static String path(String address) {
    return address.replaceFirst("\\?.*", "");
  }

  /** Pages that differ by the values of parameters alone are of one kind. */
  private static String kind(String address) {
    return path(address)
        + Arrays.stream(address.split("[?&]", -1))
            .skip(1)
            .map(PageTour::name)
            .collect(Collectors.joining(","));
  }

  private static String name(String parameter) {
    return parameter.replaceFirst("=.*", "");
  }

  private static List<String> look(Person person, String axe) {
    Page page = person.page();
    page.waitForLoadState(LoadState.LOAD);
    page.evaluate(axe);
    List<String> found = new ArrayList<>(texts(page.evaluate(VIOLATIONS)));
    if (Boolean.TRUE.equals(page.evaluate(SCROLLS))) {
      found.add("scrolls sideways");
    }
    found.addAll(person.complaints());
    return found;
  }

  private static List<String> texts(Object list) {
    return ((List<?>) list).stream().map(String::valueOf).toList();
  }

  private static String axe() throws IOException {
    try (InputStream script =
        Objects.requireNonNull(PageTour.class.getResourceAsStream("/axe.min.js"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
