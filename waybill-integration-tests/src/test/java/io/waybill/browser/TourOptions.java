package io.waybill.browser;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What to run.
 *
 * @param parts those that run
 * @param only a part of the names of faults that happen; empty for all
 * @param screenshots folder that gets a picture of each page, if any
 * @param keep folder for what a person saw of each fault, and when something did not hold
 * @param scale beside how many events pages are measured, if they are
 */
record TourOptions(
    Set<Part> parts,
    String only,
    Optional<Path> screenshots,
    Path keep,
    Optional<ScaleOptions> scale) {
  static final String USAGE =
      """
      usage: console [--only PARTS] [--fault NAME] [--screenshots FOLDER] [--keep FOLDER]
             console --scale DATABASE [--events N | --data FOLDER] [--minutes M]
        --only         pages, keyboard, kafka, rabbitmq or demo, separated by commas (default: all of them)
        --fault        of kafka and rabbitmq, faults whose name contains this
        --screenshots  makes a picture of each page there, for the documents, and runs nothing else
        --keep         folder for pictures of each fault's cause, and of what did not hold
                       (default /tmp/waybill-console)
        --scale        measures each page and a browser's memory beside many events on postgresql or
                       mariadb, and runs nothing else
        --events       kept events; failures are three for each hundred (default 10000000)
        --data         data that ./bench listings --keep has left, which a run changes a little
        --minutes      for which pages stay open (default 10)""";

  /** What can be run alone. */
  enum Part {
    /** Each page at both widths, light and dark. */
    PAGES,
    /** A pause, a plan and a run without a mouse. */
    KEYBOARD,
    /** Faults with Kafka, from their beginning to their repair. */
    KAFKA,
    /** The same with RabbitMQ. */
    RABBITMQ,
    /** The buttons of the demo's page. */
    DEMO;

    private static Part of(String name) {
      for (Part part : values()) {
        if (part.name().toLowerCase(Locale.ROOT).equals(name)) {
          return part;
        }
      }
      throw new IllegalArgumentException(
          "--only must be of pages, keyboard, kafka, rabbitmq and demo, has '" + name + "'");
    }
  }

  /** Whether a part is wanted. */
  boolean runs(Part part) {
    return parts.contains(part);
  }

  static TourOptions parse(String... args) {
    Set<Part> parts = EnumSet.noneOf(Part.class);
    String only = "";
    Optional<Path> screenshots = Optional.empty();
    Path keep = Path.of(System.getProperty("java.io.tmpdir"), "waybill-console");
    ScaleOptions scale = ScaleOptions.NONE;
    for (int i = 0; i < args.length; i += 2) {
      switch (args[i]) {
        case "--only" -> {
          for (String name : value(args, i).split(",", -1)) {
            parts.add(Part.of(name));
          }
        }
        case "--fault" -> only = value(args, i);
        case "--screenshots" -> screenshots = Optional.of(Path.of(value(args, i)));
        case "--keep" -> keep = Path.of(value(args, i));
        case "--scale" -> scale = scale.on(value(args, i));
        case "--events" -> scale = scale.events(value(args, i));
        case "--data" -> scale = scale.data(Path.of(value(args, i)));
        case "--minutes" -> scale = scale.minutes(value(args, i));
        default -> throw new IllegalArgumentException("unknown option " + args[i]);
      }
    }
    Optional<ScaleOptions> measured = scale.checked();
    if (parts.isEmpty() && screenshots.isEmpty() && measured.isEmpty()) {
      parts.addAll(EnumSet.allOf(Part.class));
    }
    return new TourOptions(parts, only, screenshots, keep, measured);
  }

  private static String value(String[] args, int option) {
    if (option + 1 == args.length) {
      throw new IllegalArgumentException(args[option] + " needs a value");
    }
    return args[option + 1];
  }
}
