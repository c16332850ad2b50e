package io.waybill.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of {@link WaybillObservation#PROCESS}. A bean of this type replaces {@link
 * DefaultProcessObservationConvention}.
 */
public interface ProcessObservationConvention extends ObservationConvention<ProcessContext> {
  @Override
  default boolean supportsContext(Observation.Context context) {
    return context instanceof ProcessContext;
  }
}
