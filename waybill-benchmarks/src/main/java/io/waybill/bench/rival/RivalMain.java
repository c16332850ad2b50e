package io.waybill.bench.rival;

import io.waybill.bench.child.Control;
import io.waybill.bench.child.Progress;
import io.waybill.bench.child.SteadyLoad;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.measure.Stamps;
import io.waybill.bench.rival.Rival.Running;
import io.waybill.bench.rival.Rival.Task;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** A process in which the rival of the class path prepares its tables, or relays. */
public final class RivalMain {
  private RivalMain() {}

  /**
   * Runs.
   *
   * @param args {@code prepare} or {@code relay}, then settings
   * @throws Exception never; a failure ends the process with status 1
   */
  public static void main(String[] args) throws Exception {
    Control control = new Control();
    Task task = new Task(Settings.parse(List.of(args).subList(1, args.length)));
    try {
      Rival rival = ServiceLoader.load(Rival.class).findFirst().orElseThrow();
      if (args[0].equals("prepare")) {
        rival.prepare(task);
        control.tell("prepared", String.join(" ", encoded(rival, task)));
      } else {
        relay(rival, task, control);
      }
      System.exit(0);
    } catch (Exception e) {
      e.printStackTrace();
      System.exit(1);
    }
  }

  private static List<String> encoded(Rival rival, Task task) {
    List<String> all = new ArrayList<>();
    rival
        .settings(task.tuned())
        .forEach(
            (name, value) ->
                all.add(URLEncoder.encode(name + "=" + value, StandardCharsets.UTF_8)));
    return all;
  }

  private static void relay(Rival rival, Task task, Control control) throws Exception {
    Settings settings = task.settings();
    boolean stamping = settings.has("stamps");
    Deliveries deliveries =
        new Deliveries(new Progress(control, task.events()), stamping ? new Stamps() : null);
    control.readyAndAwaitGo();
    try (Running running = rival.start(task, deliveries)) {
      control.tell("started");
      if (settings.has("writer")) {
        control.awaitWrite();
        new SteadyLoad(settings).run(running::append);
        control.tell("written");
      }
      control.awaitStop();
      if (stamping) {
        // Before the relay ends, which may take as long as what is still queued.
        deliveries.write(Path.of(settings.text("stamps")));
      }
    }
  }
}
