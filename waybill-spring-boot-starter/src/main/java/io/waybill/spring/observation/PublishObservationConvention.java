package io.waybill.spring.observation;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names and keys of {@link WaybillObservation#PUBLISH}. A bean of this type replaces {@link
 * DefaultPublishObservationConvention}.
 */
public interface PublishObservationConvention extends ObservationConvention<PublishContext> {
  @Override
  default boolean supportsContext(Observation.Context context) {
    return context instanceof PublishContext;
  }
}
