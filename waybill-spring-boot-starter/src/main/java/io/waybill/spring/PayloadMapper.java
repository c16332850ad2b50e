package io.waybill.spring;

import io.waybill.message.Payload;
import java.lang.reflect.Type;

/** Makes objects of payloads for methods with {@link WaybillHandler}. Thread-safe. */
@FunctionalInterface
public interface PayloadMapper {
  /**
   * Reads a payload.
   *
   * @param payload bytes and media type, no tombstone
   * @param type what the method takes
   * @return an object of this type
   * @throws Exception if the payload can't be read; the event is then given up, whatever is thrown
   */
  Object read(Payload payload, Type type) throws Exception;
}
