package io.waybill.proof.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Certificates for tests, made by the JDK's keytool: authorities, and keys whose certificates they
 * sign. Each name gives a key store {@code name.p12} and a certificate {@code name.pem}; keys that
 * are issued also {@code name.key}.
 *
 * @param directory where the files are put
 */
public record Certificates(Path directory) {
  /** Password of every key store. */
  public static final String PASSWORD = "changeit";

  private static final String ENCRYPTION = "PBEWithHmacSHA256AndAES_256";

  /**
   * Makes an authority.
   *
   * @param name its name
   * @return this
   */
  public Certificates authority(String name) {
    generate(name, "CN=" + name, "BC=ca:true");
    keytool(name, "-exportcert", "-alias", "key", "-rfc", "-file", file(name + ".pem").toString());
    return this;
  }

  /**
   * Makes a key whose certificate an authority signs.
   *
   * @param authority who signs
   * @param name common name
   * @param alternativeName for example {@code dns:localhost} or {@code ip:127.0.0.1}
   * @return this
   */
  public Certificates issue(String authority, String name, String alternativeName) {
    String request = file(name + ".csr").toString();
    String certificate = file(name + ".pem").toString();
    generate(name, "CN=" + name, "SAN=" + alternativeName);
    keytool(name, "-certreq", "-alias", "key", "-file", request);
    List<String> sign = List.of("-alias", "key", "-infile", request, "-outfile", certificate);
    List<String> extension = List.of("-rfc", "-ext", "SAN=" + alternativeName);
    keytool(authority, "-gencert", sign, extension);
    String root = file(authority + ".pem").toString();
    keytool(name, "-importcert", "-noprompt", "-alias", "root", "-file", root);
    keytool(name, "-importcert", "-noprompt", "-alias", "key", "-file", certificate);
    try {
      KeyStore keys = KeyStore.getInstance(file(name + ".p12").toFile(), PASSWORD.toCharArray());
      byte[] key = keys.getKey("key", PASSWORD.toCharArray()).getEncoded();
      write(name + ".key", "PRIVATE KEY", key);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    return this;
  }

  /**
   * Encrypts the key of a name that was issued, in the form of PKCS#8 and with {@link #PASSWORD},
   * as OpenSSL does: PBES2 with AES. It is put into {@code name-encrypted.key}.
   *
   * @param name its name
   * @return this
   */
  public Certificates encrypt(String name) {
    char[] password = PASSWORD.toCharArray();
    try {
      byte[] key =
          KeyStore.getInstance(file(name + ".p12").toFile(), password)
              .getKey("key", password)
              .getEncoded();
      Cipher cipher = Cipher.getInstance(ENCRYPTION);
      cipher.init(
          Cipher.ENCRYPT_MODE,
          SecretKeyFactory.getInstance(ENCRYPTION).generateSecret(new PBEKeySpec(password)));
      // The JDK knows the parameters by this name alone.
      AlgorithmParameters parameters = AlgorithmParameters.getInstance("PBES2");
      parameters.init(cipher.getParameters().getEncoded());
      byte[] encrypted = new EncryptedPrivateKeyInfo(parameters, cipher.doFinal(key)).getEncoded();
      write(name + "-encrypted.key", "ENCRYPTED PRIVATE KEY", encrypted);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private void generate(String name, String distinguishedName, String extension) {
    List<String> key = List.of("-alias", "key", "-keyalg", "RSA", "-keysize", "2048");
    List<String> subject = List.of("-dname", distinguishedName, "-ext", extension);
    keytool(name, "-genkeypair", key, subject);
  }

  private void keytool(String store, String... arguments) {
    keytool(store, arguments[0], List.of(arguments).subList(1, arguments.length), List.of());
  }

  private void keytool(String store, String verb, List<String> first, List<String> second) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    // Each call is short: nothing of it is worth compiling well.
    command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"));
    command.add(verb);
    command.addAll(first);
    command.addAll(second);
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", file(store + ".p12").toString()));
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(file("keytool.log").toFile())
              .start();
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + ": " + Files.readString(file("keytool.log")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while keytool worked", e);
    }
  }

  /**
   * A file of a name, for example {@code broker.pem}.
   *
   * @param name its name
   * @return its path
   */
  public Path file(String name) {
    return directory.resolve(name);
  }

  /** Readable by its owner alone, which servers demand of keys. */
  private void write(String name, String type, byte[] content) throws IOException {
    Path file = file(name);
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }
}
