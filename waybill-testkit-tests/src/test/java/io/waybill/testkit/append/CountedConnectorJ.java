package io.waybill.testkit.append;

import com.mysql.cj.conf.PropertySet;
import com.mysql.cj.protocol.StandardSocketFactory;
import io.waybill.proof.proxy.RoundTripCounter;
import java.net.Socket;

/** Lets MySQL's own driver, which has an interface of its own for it, use counted sockets. */
public final class CountedConnectorJ extends StandardSocketFactory {
  /** Made by the driver, for each connection. */
  public CountedConnectorJ() {}

  @Override
  protected Socket createSocket(PropertySet properties) {
    return new RoundTripCounter().createSocket();
  }
}
