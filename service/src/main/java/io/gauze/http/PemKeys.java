package io.gauze.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate and its key from files in PEM. */
public final class PemKeys {
  private static final String BEGIN = "-----BEGIN PRIVATE KEY-----";
  private static final String END = "-----END PRIVATE KEY-----";

  private PemKeys() {}

  /**
   * Returns the context of a server.
   *
   * @param certificate the server's certificate, and then those that sign it
   * @param key its private key, in PKCS 8, without a password
   * @throws IOException if a file cannot be read or is something else; the message never has the
   *     key
   */
  public static SSLContext context(Path certificate, Path key) throws IOException {
    try {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate)))
              .toArray(new Certificate[0]);
      if (chain.length == 0) {
        throw new IOException("the file " + certificate + " has no certificate in PEM");
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      char[] none = {};
      store.setKeyEntry("server", privateKey(key, chain[0]), none, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, none);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(
          "the files "
              + certificate
              + " and "
              + key
              + " must be a certificate and its private key in PEM ("
              + e.getClass().getSimpleName()
              + ")",
          e);
    }
  }

  private static PrivateKey privateKey(Path file, Certificate certificate)
      throws IOException, GeneralSecurityException {
    String text = Files.readString(file, StandardCharsets.US_ASCII);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(
          "the file "
              + file
              + " must have a private key in PKCS 8 without a password, which begins with "
              + BEGIN);
    }
    byte[] bytes;
    try {
      bytes = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN.length(), end));
    } catch (IllegalArgumentException e) {
      throw new IOException("the private key in " + file + " is damaged", e);
    }
    return KeyFactory.getInstance(certificate.getPublicKey().getAlgorithm())
        .generatePrivate(new PKCS8EncodedKeySpec(bytes));
  }
}
