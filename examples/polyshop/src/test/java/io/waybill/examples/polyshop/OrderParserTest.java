package io.waybill.examples.polyshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.waybill.examples.polyshop.NewOrder.Item;
import java.math.BigDecimal;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class OrderParserTest {
  @Test
  void readsAnOrder() {
    NewOrder order =
        OrderParser.parse(
            """
            {"userId": "u-1", "comment": "ignored", "items": [
              {"productId": "book", "quantity": 2, "unitPrice": 12.50},
              {"productId": "pen", "quantity": 1, "unitPrice": 1}]}""");

    assertThat(order.userId()).isEqualTo("u-1");
    assertThat(order.items())
        .containsExactly(
            new Item("book", 2, new BigDecimal("12.50")), new Item("pen", 1, new BigDecimal("1")));
    assertThat(order.totalAmount()).isEqualByComparingTo("26");
  }

  private static final String TEXT = "must be a text of 1 to 100 characters, is ";
  private static final String ARRAY = "must be an array of 1 to 100 items, is ";

  static Stream<Arguments> bodies() {
    return Stream.of(
        arguments("nonsense", "body must be JSON, is \"nonsense\""),
        arguments("{\"userId\":", "body must be JSON, is"),
        arguments("", "body must be a JSON object, is \"\""),
        arguments("[]", "body must be a JSON object, is \"[]\""),
        arguments("{`items`:[`I`]}", "userId " + TEXT + "null"),
        arguments("{`userId`:` `,`items`:[`I`]}", "userId " + TEXT),
        arguments("{`userId`:7,`items`:[`I`]}", "userId " + TEXT + "\"7\""),
        arguments("{`userId`:`" + "x".repeat(101) + "`,`items`:[`I`]}", "userId " + TEXT),
        arguments("{`userId`:`a\\nb`,`items`:[`I`]}", "userId must have no control characters"),
        arguments("{`userId`:`u`}", "items " + ARRAY + "null"),
        arguments("{`userId`:`u`,`items`:[]}", "items " + ARRAY + "\"[]\""),
        arguments("{`userId`:`u`,`items`:{}}", "items " + ARRAY),
        arguments("{`userId`:`u`,`items`:[" + "`I`,".repeat(100) + "`I`]}", "items " + ARRAY),
        arguments("{`userId`:`u`,`items`:[1]}", "items[0] must be a JSON object, is \"1\""));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void namesFieldRuleAndValue(String body, String message) {
    String json =
        body.replace("`I`", "{\"productId\":\"p\",\"quantity\":1,\"unitPrice\":1}")
            .replace('`', '"');
    assertThatThrownBy(() -> OrderParser.parse(json))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0     | 1       | items[0].quantity must be a whole number from 1 to 1000, is \"0\"",
        "1001  | 1       | items[0].quantity must be a whole number from 1 to 1000, is \"1001\"",
        "1.5   | 1       | items[0].quantity must be a whole number from 1 to 1000, is \"1.5\"",
        "null  | 1       | items[0].quantity must be a whole number from 1 to 1000, is \"null\"",
        "1     | 0       | items[0].unitPrice must be a number from 0.01 to 99999.99",
        "1     | -1      | items[0].unitPrice must be a number from 0.01 to 99999.99",
        "1     | 1.005   | items[0].unitPrice must be a number from 0.01 to 99999.99",
        "1     | 100000  | items[0].unitPrice must be a number from 0.01 to 99999.99",
        "1     | 1e99999 | items[0].unitPrice must be a number from 0.01 to 99999.99",
        "1     | 1e1000000000 | items[0].unitPrice must be a number from 0.01 to 99999.99",
        "1     | 0e1000000000 | items[0].unitPrice must be a number from 0.01 to 99999.99",
        "1     | true    | items[0].unitPrice must be a number from 0.01 to 99999.99",
      })
  void checksItems(String quantity, String price, String message) {
    String json =
        """
        {"userId":"u","items":[{"productId":"p","quantity":%s,"unitPrice":%s}]}"""
            .formatted(quantity, price);
    assertThatThrownBy(() -> OrderParser.parse(json)).hasMessageContaining(message);
  }

  @Test
  void namesAllErrorsAtOnce() {
    assertThatThrownBy(() -> OrderParser.parse("{\"items\":[{\"quantity\":0}]}"))
        .isInstanceOfSatisfying(
            BadRequestException.class,
            e ->
                assertThat(e.violations())
                    .extracting(violation -> violation.field())
                    .containsExactly(
                        "userId", "items[0].productId", "items[0].quantity", "items[0].unitPrice"));
  }
}
