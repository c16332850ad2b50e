package io.waybill.spring.internal.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KeyPartitioner;
import io.waybill.kafka.StandardPartitioner;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.properties.KafkaProperties;
import io.waybill.spring.properties.WaybillProperties;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;

/** The key {@code waybill.kafka.partitioner}. */
class PartitionerKeyTest {
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

  private KafkaPublisherConfig config(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
    WaybillProperties bound =
        Binder.get(environment).bindOrCreate("waybill", WaybillProperties.class);
    BrokerContext context =
        new BrokerContext(environment, beans, new DefaultResourceLoader(), new LinkedHashSet<>());
    return KafkaSource.of(bound.kafka(), context, KafkaSource.PREFIX, "shop-1").config();
  }

  @Test
  void isThatOfJavasClientByDefault() {
    assertThat(config(Map.of()).partitioner()).isEqualTo(StandardPartitioner.MURMUR2_RANDOM);
  }

  @ParameterizedTest
  @CsvSource({
    "consistent-random, CONSISTENT_RANDOM",
    "consistent_random, CONSISTENT_RANDOM",
    "fnv1a-random, FNV1A_RANDOM",
  })
  void takesTheNamesOfLibrdkafka(String name, StandardPartitioner partitioner) {
    assertThat(config(Map.of("waybill.kafka.partitioner", name)).partitioner())
        .isEqualTo(partitioner);
  }

  @Test
  void hasEachStandardPartitioner() {
    assertThat(Arrays.stream(KafkaProperties.Partitioner.values()).map(Enum::name))
        .containsExactlyElementsOf(
            Arrays.stream(StandardPartitioner.values()).map(Enum::name).toList());
  }

  @Test
  void aBeanComesFirst() {
    KeyPartitioner own = (key, partitions) -> 0;
    beans.registerSingleton("own", own);
    assertThat(config(Map.of("waybill.kafka.partitioner", "consistent")).partitioner())
        .isSameAs(own);
  }
}
