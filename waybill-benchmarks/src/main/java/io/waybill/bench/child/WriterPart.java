package io.waybill.bench.child;

import io.waybill.bench.measure.Settings;

/** The writer in a process of its own. */
final class WriterPart implements ChildMain.Part {
  @Override
  public void play(Settings settings, Control control) throws Exception {
    Writer writer = new Writer(settings, Writer.outbox(settings.text("database")));
    control.readyAndAwaitGo();
    writer.run();
    control.tell("written");
    control.awaitStop();
  }
}
