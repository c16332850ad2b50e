package io.waybill.bench.child;

import io.waybill.bench.measure.Settings;

/** The writer in a process of its own, which may be stopped before it has written everything. */
final class WriterPart implements ChildMain.Part {
  @Override
  public void play(Settings settings, Control control) throws Exception {
    Writer writer = new Writer(settings, Writer.outbox(settings.text("database")));
    control.counting(writer::count);
    control.readyAndAwaitGo();
    writer.run(control::stopping);
    control.tell("written", writer.count());
    control.awaitStop();
  }
}
