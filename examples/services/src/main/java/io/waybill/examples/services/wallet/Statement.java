package io.waybill.examples.services.wallet;

import io.waybill.message.ReceivedEvent;
import io.waybill.spring.WaybillHandler;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Writes a line into a wallet's statement for each of its events, once. */
@Component
class Statement {
  private final JdbcClient jdbc;

  Statement(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  @WaybillHandler({
    "WalletCreatedEvent",
    "FundsAddedEvent",
    "FundsWithdrawnEvent",
    "FundsTransferredEvent"
  })
  void write(Change change, ReceivedEvent event) {
    jdbc.sql("insert into statement_line (wallet_id, what, cents) values (?, ?, ?)")
        .params(change.walletId(), event.type(), Objects.requireNonNullElse(change.cents(), 0L))
        .update();
  }

  /** What all events have; no cents where a wallet was opened. */
  record Change(String walletId, @Nullable Long cents) {}
}
