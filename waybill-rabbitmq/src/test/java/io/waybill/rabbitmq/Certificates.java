package io.waybill.rabbitmq;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates for a test, made by the JDK's keytool. */
record Certificates(Path directory) {
  static final String PASSWORD = "changeit";

  /** Makes an authority: {@code name.p12} and its certificate {@code name.pem}. */
  Certificates authority(String name) throws IOException, InterruptedException {
    generate(name, "CN=" + name, "BC=ca:true");
    keytool(name, "-exportcert", "-alias", "key", "-rfc", "-file", file(name + ".pem").toString());
    return this;
  }

  /** Makes a key whose certificate an authority signs: {@code .p12}, {@code .pem}, {@code .key}. */
  Certificates issue(String authority, String name, String alternativeName)
      throws IOException, InterruptedException, GeneralSecurityException {
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
    KeyStore keys = KeyStore.getInstance(file(name + ".p12").toFile(), PASSWORD.toCharArray());
    byte[] key = keys.getKey("key", PASSWORD.toCharArray()).getEncoded();
    write(name + ".key", "PRIVATE KEY", key);
    return this;
  }

  private void generate(String name, String distinguishedName, String extension)
      throws IOException, InterruptedException {
    List<String> key = List.of("-alias", "key", "-keyalg", "RSA", "-keysize", "2048");
    List<String> subject = List.of("-dname", distinguishedName, "-ext", extension);
    keytool(name, "-genkeypair", key, subject);
  }

  private void keytool(String store, String... arguments) throws IOException, InterruptedException {
    keytool(store, arguments[0], List.of(arguments).subList(1, arguments.length), List.of());
  }

  private void keytool(String store, String verb, List<String> first, List<String> second)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.add(verb);
    command.addAll(first);
    command.addAll(second);
    command.addAll(List.of("-storetype", "PKCS12", "-storepass", PASSWORD));
    command.addAll(List.of("-keystore", file(store + ".p12").toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (process.waitFor() != 0) {
      throw new IOException("failed: " + command);
    }
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  private void write(String file, String type, byte[] content) throws IOException {
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    Files.writeString(
        file(file), "-----BEGIN " + type + "-----\n" + base64 + "\n-----END " + type + "-----\n");
  }
}
