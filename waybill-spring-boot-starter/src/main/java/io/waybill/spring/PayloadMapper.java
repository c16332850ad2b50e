package io.waybill.spring;

import io.waybill.message.Payload;
import java.lang.reflect.Type;

/** Converts payloads into objects for methods with {@link WaybillHandler}. Thread-safe. */
@FunctionalInterface
public interface PayloadMapper {
  /**
   * Reads a payload.
   *
   * @param payload bytes and media type, no tombstone
   * @param type type of the method's parameter
   * @return an object of this type
   * @throws Exception if the payload can't be read; the inbox then dead-letters the event, whatever
   *     the type of the exception
   */
  Object read(Payload payload, Type type) throws Exception;
}
