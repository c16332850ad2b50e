package io.waybill.spring.observation;

import io.micrometer.common.KeyValues;
import io.waybill.internal.observe.BoundedNames;
import io.waybill.message.Event;
import io.waybill.spring.observation.WaybillObservation.AppendHigh;
import io.waybill.spring.observation.WaybillObservation.AppendLow;
import java.util.List;

/** The observation {@code waybill.append}, its span {@code append TYPE}. Thread-safe. */
public class DefaultAppendObservationConvention implements AppendObservationConvention {
  private static final String SEVERAL = "several";

  private final BoundedNames types = new BoundedNames(WaybillObservation.MOST_VALUES);

  /** Creates one; it has no settings. */
  public DefaultAppendObservationConvention() {}

  @Override
  public String getName() {
    return "waybill.append";
  }

  @Override
  public String getContextualName(AppendContext context) {
    return "append " + type(context.events());
  }

  @Override
  public KeyValues getLowCardinalityKeyValues(AppendContext context) {
    return KeyValues.of(AppendLow.TYPE.withValue(types.of(type(context.events()))));
  }

  @Override
  public KeyValues getHighCardinalityKeyValues(AppendContext context) {
    List<Event> events = context.events();
    KeyValues all = KeyValues.of(AppendHigh.COUNT.withValue(Integer.toString(events.size())));
    return events.size() == 1 ? all.and(AppendHigh.ID.withValue(events.get(0).id())) : all;
  }

  private static String type(List<Event> events) {
    String first = events.get(0).type();
    return events.stream().allMatch(event -> event.type().equals(first)) ? first : SEVERAL;
  }
}
