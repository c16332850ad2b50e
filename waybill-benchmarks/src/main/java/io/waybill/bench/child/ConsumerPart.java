package io.waybill.bench.child;

import io.waybill.bench.load.EffectTables;
import io.waybill.bench.load.Ref;
import io.waybill.bench.measure.Settings;
import io.waybill.bench.wire.BrokerKind;
import io.waybill.bench.wire.Consumers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * What a careful team writes by hand: several threads of the broker's client, each with a
 * connection, a transaction for each event, acknowledged after its commit. Copies are not noticed.
 */
final class ConsumerPart implements ChildMain.Part {
  @Override
  public void play(Settings settings, Control control) throws Exception {
    control.readyAndAwaitGo();
    Progress progress = new Progress(control, settings.number("events"));
    Consumers consumers =
        BrokerKind.of(settings.text("broker"))
            .consumers(
                settings.text("address"),
                settings.text("destination"),
                (int) settings.number("workers"),
                () -> effect(settings.text("database"), progress));
    control.awaitStop();
    consumers.close();
  }

  private static Consumers.Effect effect(String url, Progress progress) throws SQLException {
    Connection connection = Sql.open(url);
    connection.setAutoCommit(false);
    PreparedStatement insert = connection.prepareStatement(EffectTables.INSERT);
    return body -> {
      long ref = Ref.find(body);
      insert.setInt(1, Ref.key(ref));
      insert.setLong(2, Ref.position(ref));
      insert.executeUpdate();
      connection.commit();
      progress.completed(1);
    };
  }
}
