package io.waybill.demo;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The brokers that the demo can run on. */
enum BrokerKind {
  KAFKA,
  RABBITMQ;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the option's value. */
  static final class Converter implements ITypeConverter<BrokerKind> {
    @Override
    public BrokerKind convert(String value) {
      return switch (value) {
        case "kafka" -> KAFKA;
        case "rabbitmq" -> RABBITMQ;
        default ->
            throw new TypeConversionException("must be kafka or rabbitmq, but is '" + value + "'");
      };
    }
  }
}
