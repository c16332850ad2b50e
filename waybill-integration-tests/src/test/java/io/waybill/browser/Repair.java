package io.waybill.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * How a fault was found and ended.
 *
 * @param fault its name
 * @param found until cause and remedy were on the screen
 * @param clicksToFind clicks until then
 * @param repaired until the screen showed that it had ended
 * @param clicks clicks in all
 * @param note what else is to be said
 * @param holds whether it was done within the marks
 */
record Repair(
    String fault,
    Duration found,
    int clicksToFind,
    Duration repaired,
    int clicks,
    String note,
    boolean holds) {
  private static final Duration TO_FIND = Duration.ofSeconds(30);
  private static final int CLICKS_TO_FIND = 3;
  private static final Duration TO_REPAIR = Duration.ofSeconds(60);
  private static final int CLICKS = 5;

  /** Lets a fault happen, and the person end it. */
  static Repair of(Fault fault, Person person, Path keep) throws Exception {
    person.open("overview");
    person.startOver();
    fault.happen();
    long began = System.nanoTime();
    Duration found = Duration.ZERO;
    int clicksToFind = 0;
    try {
      fault.find(person);
      found = since(began);
      clicksToFind = person.clicks();
      // For a reader who is to say what is wrong from it alone.
      person.wholePicture(picture(keep, fault, "cause"));
      fault.repair(person);
      Duration repaired = since(began);
      int clicks = person.clicks();
      boolean holds =
          found.compareTo(TO_FIND) <= 0
              && clicksToFind <= CLICKS_TO_FIND
              && repaired.compareTo(TO_REPAIR) <= 0
              && clicks <= CLICKS;
      return new Repair(
          fault.name(), found, clicksToFind, repaired, clicks, fault.end(person), holds);
    } catch (Exception | AssertionError e) {
      Path picture = picture(keep, fault, "failed");
      person.picture(picture);
      String what = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      return new Repair(
          fault.name(),
          found,
          clicksToFind,
          since(began),
          person.clicks(),
          what + "; see " + picture,
          false);
    }
  }

  private static Path picture(Path keep, Fault fault, String what) throws IOException {
    return Files.createDirectories(keep)
        .resolve("%s-%s.png".formatted(fault.name().replaceAll("[^a-z0-9]+", "-"), what));
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  /** A table of all, with the marks. */
  static String table(List<Repair> repairs) {
    StringBuilder table =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%-42s %16s %16s%n%-42s %16s %16s%n",
                "",
                "cause on screen",
                "repaired",
                "mark",
                marks(TO_FIND, CLICKS_TO_FIND),
                marks(TO_REPAIR, CLICKS)));
    for (Repair each : repairs) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-42s %16s %16s  %s%s%n",
              each.fault,
              marks(each.found, each.clicksToFind),
              marks(each.repaired, each.clicks),
              each.holds ? "" : "BEYOND ",
              each.note));
    }
    return table.toString();
  }

  private static String marks(Duration time, int clicks) {
    return String.format(Locale.ROOT, "%.1f s, %d", time.toMillis() / 1_000.0, clicks);
  }
}
