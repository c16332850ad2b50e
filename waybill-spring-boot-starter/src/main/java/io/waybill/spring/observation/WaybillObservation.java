package io.waybill.spring.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;
import io.waybill.internal.observe.MessagingConventions;

/**
 * The observations of Waybill. Keys of low cardinality are tags of meters and attributes of spans,
 * those of high cardinality attributes of spans alone.
 */
public enum WaybillObservation implements ObservationDocumentation {
  /** A call that appends events, from its beginning to its return: written, not committed. */
  APPEND {
    @Override
    public Class<? extends ObservationConvention<? extends Observation.Context>>
        getDefaultConvention() {
      return DefaultAppendObservationConvention.class;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
      return AppendLow.values();
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
      return AppendHigh.values();
    }
  },

  /** A send of an event whose trace is recorded, until the broker confirms it. */
  PUBLISH {
    @Override
    public Class<? extends ObservationConvention<? extends Observation.Context>>
        getDefaultConvention() {
      return DefaultPublishObservationConvention.class;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
      return PublishLow.values();
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
      return PublishHigh.values();
    }
  },

  /** The call of a handler. */
  PROCESS {
    @Override
    public Class<? extends ObservationConvention<? extends Observation.Context>>
        getDefaultConvention() {
      return DefaultProcessObservationConvention.class;
    }

    @Override
    public KeyName[] getLowCardinalityKeyNames() {
      return ProcessLow.values();
    }

    @Override
    public KeyName[] getHighCardinalityKeyNames() {
      return ProcessHigh.values();
    }
  };

  /** How many values a tag has that events decide; the rest share {@code other}. */
  static final int MOST_VALUES = 200;

  private static final String EVENT_TYPE = "waybill.event.type";

  /** Tags and attributes of {@link #APPEND}. */
  public enum AppendLow implements KeyName {
    /** Type of the events, {@code several} for several types; at most 200 values. */
    TYPE {
      @Override
      public String asString() {
        return EVENT_TYPE;
      }
    }
  }

  /** Attributes of {@link #APPEND}. */
  public enum AppendHigh implements KeyName {
    /** Number of events. */
    COUNT {
      @Override
      public String asString() {
        return "waybill.event.count";
      }
    },

    /** Id of a single event. */
    ID {
      @Override
      public String asString() {
        return "waybill.event.id";
      }
    }
  }

  /** Tags and attributes of {@link #PUBLISH}. */
  public enum PublishLow implements KeyName {
    /** Kind of broker. */
    SYSTEM {
      @Override
      public String asString() {
        return MessagingConventions.SYSTEM;
      }
    },

    /** The system's word for what is done. */
    OPERATION {
      @Override
      public String asString() {
        return MessagingConventions.OPERATION;
      }
    },

    /** Its type. */
    OPERATION_TYPE {
      @Override
      public String asString() {
        return MessagingConventions.OPERATION_TYPE;
      }
    },

    /** Where to or where from; at most 200 values. */
    DESTINATION {
      @Override
      public String asString() {
        return MessagingConventions.DESTINATION;
      }
    },

    /** Type of the event; at most 200 values. */
    TYPE {
      @Override
      public String asString() {
        return EVENT_TYPE;
      }
    }
  }

  /** Attributes of {@link #PUBLISH}. */
  public enum PublishHigh implements KeyName {
    /** Id of the event. */
    MESSAGE_ID {
      @Override
      public String asString() {
        return MessagingConventions.MESSAGE_ID;
      }
    },

    /** Its correlation id, if it has one. */
    CONVERSATION_ID {
      @Override
      public String asString() {
        return MessagingConventions.CONVERSATION_ID;
      }
    },

    /** Partition of Kafka, where it is known. */
    PARTITION {
      @Override
      public String asString() {
        return MessagingConventions.PARTITION;
      }
    },

    /** Offset in it. */
    OFFSET {
      @Override
      public String asString() {
        return MessagingConventions.OFFSET;
      }
    },

    /** RabbitMQ's routing key, unless it is empty. */
    ROUTING_KEY {
      @Override
      public String asString() {
        return MessagingConventions.ROUTING_KEY;
      }
    },

    /** Host of the broker, where it is configured alone. */
    SERVER_ADDRESS {
      @Override
      public String asString() {
        return MessagingConventions.SERVER_ADDRESS;
      }
    },

    /** Its port. */
    SERVER_PORT {
      @Override
      public String asString() {
        return MessagingConventions.SERVER_PORT;
      }
    },

    /** The reason of a send that failed. */
    ERROR_TYPE {
      @Override
      public String asString() {
        return MessagingConventions.ERROR_TYPE;
      }
    }
  }

  /** Tags and attributes of {@link #PROCESS}. */
  public enum ProcessLow implements KeyName {
    /** Kind of broker. */
    SYSTEM {
      @Override
      public String asString() {
        return MessagingConventions.SYSTEM;
      }
    },

    /** The system's word for what is done. */
    OPERATION {
      @Override
      public String asString() {
        return MessagingConventions.OPERATION;
      }
    },

    /** Its type. */
    OPERATION_TYPE {
      @Override
      public String asString() {
        return MessagingConventions.OPERATION_TYPE;
      }
    },

    /** Where to or where from; at most 200 values. */
    DESTINATION {
      @Override
      public String asString() {
        return MessagingConventions.DESTINATION;
      }
    },

    /** Type of the event; at most 200 values. */
    TYPE {
      @Override
      public String asString() {
        return EVENT_TYPE;
      }
    },

    /** Name of the consumer. */
    CONSUMER {
      @Override
      public String asString() {
        return "waybill.consumer";
      }
    }
  }

  /** Attributes of {@link #PROCESS}. */
  public enum ProcessHigh implements KeyName {
    /** Id of the event. */
    MESSAGE_ID {
      @Override
      public String asString() {
        return MessagingConventions.MESSAGE_ID;
      }
    },

    /** Its correlation id, if it has one. */
    CONVERSATION_ID {
      @Override
      public String asString() {
        return MessagingConventions.CONVERSATION_ID;
      }
    },

    /** Partition of Kafka, where it is known. */
    PARTITION {
      @Override
      public String asString() {
        return MessagingConventions.PARTITION;
      }
    },

    /** Offset in it. */
    OFFSET {
      @Override
      public String asString() {
        return MessagingConventions.OFFSET;
      }
    },

    /** RabbitMQ's routing key, unless it is empty. */
    ROUTING_KEY {
      @Override
      public String asString() {
        return MessagingConventions.ROUTING_KEY;
      }
    },

    /** Class of a handler's exception. */
    ERROR_TYPE {
      @Override
      public String asString() {
        return MessagingConventions.ERROR_TYPE;
      }
    },

    /** Consumer group of Kafka. */
    CONSUMER_GROUP {
      @Override
      public String asString() {
        return MessagingConventions.CONSUMER_GROUP;
      }
    },

    /** Number of events of a batch. */
    BATCH_COUNT {
      @Override
      public String asString() {
        return MessagingConventions.BATCH_COUNT;
      }
    }
  }
}
