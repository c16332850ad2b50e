package io.waybill.server.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** A file that holds one secret. */
final class SecretFile {
  private static final int MOST_BYTES = 64 << 10;
  private static final Set<PosixFilePermission> TOO_OPEN =
      EnumSet.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.GROUP_WRITE);

  private SecretFile() {}

  /** The file's text without the line end at its end. */
  static String read(String name) throws UnresolvedException {
    try {
      Path path = Path.of(name);
      check(path, name);
      byte[] bytes = Files.readAllBytes(path);
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return text.endsWith("\n") ? text.substring(0, text.length() - 1).stripTrailing() : text;
    } catch (InvalidPathException | CharacterCodingException e) {
      throw new UnresolvedException("names a file that has no UTF-8 text: " + name);
    } catch (IOException e) {
      throw new UnresolvedException("names a file that cannot be read: " + name);
    }
  }

  private static void check(Path path, String name) throws IOException, UnresolvedException {
    if (!path.isAbsolute()) {
      throw new UnresolvedException("must name a file by its absolute path, not " + name);
    }
    if (!Files.isRegularFile(path)) {
      throw new UnresolvedException("names a file that is not there: " + name);
    }
    if (Files.size(path) > MOST_BYTES) {
      throw new UnresolvedException("names a file of more than " + MOST_BYTES + " bytes: " + name);
    }
    boolean posix = Files.getFileStore(path).supportsFileAttributeView("posix");
    if (posix && Files.getPosixFilePermissions(path).stream().anyMatch(TOO_OPEN::contains)) {
      throw new UnresolvedException(
          "names a file that others may read or change: chmod 0440 " + name);
    }
  }
}
