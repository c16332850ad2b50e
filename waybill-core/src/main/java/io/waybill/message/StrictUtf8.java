package io.waybill.message;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * UTF-8 without replacement characters: {@code String.getBytes} turns a lone surrogate into '?'.
 */
final class StrictUtf8 {
  static final String RULE = "must be well-formed Unicode, without lone surrogates";

  private StrictUtf8() {}

  static byte[] encode(String field, String text) {
    try {
      ByteBuffer bytes =
          StandardCharsets.UTF_8
              .newEncoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .onUnmappableCharacter(CodingErrorAction.REPORT)
              .encode(CharBuffer.wrap(text));
      return Arrays.copyOfRange(bytes.array(), bytes.arrayOffset(), bytes.limit());
    } catch (CharacterCodingException e) {
      throw new InvalidEventException(null, new Violation(field, RULE, text), e);
    }
  }

  /** Bytes that the text takes, or -1 if it has a lone surrogate. */
  static int length(String text) {
    int bytes = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        bytes++;
      } else if (c < 0x800) {
        bytes += 2;
      } else if (!Character.isSurrogate(c)) {
        bytes += 3;
      } else if (isPair(text, i)) {
        bytes += 4;
        i++;
      } else {
        return -1;
      }
    }
    return bytes;
  }

  private static boolean isPair(String text, int i) {
    return i + 1 < text.length() && Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1));
  }
}
