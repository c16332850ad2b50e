package io.waybill.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of {@link WaybillObservation#APPEND}. A bean of this type replaces {@link
 * DefaultAppendObservationConvention}.
 */
public interface AppendObservationConvention extends ObservationConvention<AppendContext> {
  @Override
  default boolean supportsContext(Observation.Context context) {
    return context instanceof AppendContext;
  }
}
