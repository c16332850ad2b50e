package io.waybill.browser;

import com.microsoft.playwright.options.ColorScheme;
import io.waybill.browser.TourOptions.Part;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The command behind {@code ./dev console}. */
public final class ConsoleTour {
  private static final int WIDE = 1280;

  private final TourOptions options;
  private final PrintStream out;
  private final List<Repair> repairs = new ArrayList<>();
  private final List<String> findings = new ArrayList<>();

  private ConsoleTour(TourOptions options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  /**
   * Runs once and ends the process with the exit code of {@link #run}.
   *
   * @param args see {@link TourOptions#USAGE}
   */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  /** Returns 0 only if all holds, 1 if not, 2 for wrong usage, and 70 if the run itself failed. */
  static int run(String[] args, PrintStream out, PrintStream err) {
    if (List.of(args).contains("--help")) {
      out.println(TourOptions.USAGE);
      return 0;
    }
    TourOptions options;
    try {
      options = TourOptions.parse(args);
    } catch (IllegalArgumentException e) {
      err.println(TourOptions.USAGE);
      err.println(e.getMessage());
      return 2;
    }
    try {
      return new ConsoleTour(options, out).holds() ? 0 : 1;
    } catch (Exception e) {
      err.println("console: the run itself failed");
      e.printStackTrace(err);
      return 70;
    }
  }

  private boolean holds() throws Exception {
    try (Chromium chromium = Chromium.launch()) {
      out.println("Chromium " + chromium.version());
      if (options.scale().isPresent()) {
        findings.addAll(new ScaleTour(options.scale().get(), chromium, out).run());
      }
      if (options.screenshots().isPresent()
          || !Collections.disjoint(
              options.parts(), Set.of(Part.PAGES, Part.KEYBOARD, Part.KAFKA))) {
        withKafka(chromium);
      }
      if (options.runs(Part.DEMO)) {
        findings.addAll(new DemoTour(chromium, options.keep(), out).run());
      }
      if (options.runs(Part.RABBITMQ)) {
        try (RabbitFaults faults = new RabbitFaults()) {
          repair(chromium, faults.night(), faults.all());
        }
      }
    }
    findings.forEach(each -> out.println("FOUND: " + each));
    if (!repairs.isEmpty()) {
      out.print(Repair.table(repairs));
    }
    boolean holds = findings.isEmpty() && repairs.stream().allMatch(Repair::holds);
    out.println(holds ? "all holds" : "NOT ALL HOLDS");
    return holds;
  }

  private void withKafka(Chromium chromium) throws Exception {
    try (KafkaFaults faults = new KafkaFaults()) {
      Night night = faults.night();
      if (options.runs(Part.KAFKA)) {
        repair(chromium, night, faults.all());
      }
      if (options.runs(Part.KEYBOARD)) {
        findings.addAll(new KeyboardTour(chromium, night).run());
      }
      if (options.runs(Part.PAGES) || options.screenshots().isPresent()) {
        try (Person person = night.enter(chromium, WIDE, ColorScheme.LIGHT)) {
          faults.leaveForPages(person);
        }
        PageTour pages = new PageTour(chromium, night);
        findings.addAll(
            options.screenshots().isPresent()
                ? pages.pictures(options.screenshots().get())
                : pages.run());
      }
    }
  }

  private void repair(Chromium chromium, Night night, List<Fault> faults) throws Exception {
    try (Person person = night.enter(chromium, WIDE, ColorScheme.LIGHT)) {
      for (Fault fault : faults) {
        if (fault.name().contains(options.only())) {
          Repair repair = Repair.of(fault, person, options.keep());
          repairs.add(repair);
          out.print(Repair.table(List.of(repair)).lines().skip(2).findFirst().orElse("") + "\n");
        }
      }
    }
  }
}
