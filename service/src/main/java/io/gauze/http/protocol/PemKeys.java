package io.gauze.http.protocol;

import io.gauze.topic.OptionFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate and its key from files in PEM.
 *
 * @param context of a server that has them
 * @param certificate of the server
 */
public record PemKeys(SSLContext context, X509Certificate certificate) {
  private static final String CERTIFICATE = "--tls-certificate";
  private static final String KEY = "--tls-key";
  private static final String LABEL = "PRIVATE KEY";
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  /**
   * Reads them.
   *
   * @param certificate file with the server's certificate, and then those that sign it
   * @param key file with its private key, in PKCS 8, without a password
   * @throws IOException if a file cannot be read or is something else, or the two do not belong to
   *     each other; the message says which option is wrong, and never has the key
   */
  public static PemKeys read(Path certificate, Path key) throws IOException {
    X509Certificate[] chain = chain(certificate);
    byte[] encoded = keyBytes(key);
    try {
      PrivateKey secret = privateKey(encoded, chain[0], key);
      if (!belong(secret, chain[0])) {
        throw otherKey(key);
      }
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      char[] none = {};
      store.setKeyEntry("server", secret, none, chain);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, none);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), null, null);
      return new PemKeys(context, chain[0]);
    } catch (GeneralSecurityException e) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s and %s must be a certificate and its private key that Java can use (%s)."
                  + " Provided values: %s and %s",
              CERTIFICATE,
              KEY,
              e.getClass().getSimpleName(),
              certificate,
              key),
          e);
    }
  }

  private static X509Certificate[] chain(Path file) throws IOException {
    X509Certificate[] chain;
    try {
      chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(OptionFile.read(CERTIFICATE, file)))
              .toArray(new X509Certificate[0]);
      if (chain.length == 0) {
        throw new CertificateException("no certificate");
      }
    } catch (CertificateException e) {
      throw new IOException(
          CERTIFICATE
              + " must be a file with a certificate in PEM, which begins with -----BEGIN"
              + " CERTIFICATE-----. Provided value: "
              + file,
          e);
    }
    for (int k = 1; k < chain.length; k++) {
      if (!chain[k - 1].getIssuerX500Principal().equals(chain[k].getSubjectX500Principal())) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s must have the server's certificate first, and each one then must be that of"
                    + " the signer of the one before; certificate %d of the file is not. Provided"
                    + " value: %s",
                CERTIFICATE,
                k + 1,
                file));
      }
    }
    return chain;
  }

  private static byte[] keyBytes(Path file) throws IOException {
    String text = new String(OptionFile.read(KEY, file), StandardCharsets.ISO_8859_1);
    String other = "";
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      if (block.group(1).equals(LABEL)) {
        try {
          return Base64.getMimeDecoder().decode(block.group(2));
        } catch (IllegalArgumentException e) {
          throw damaged(file, e);
        }
      }
      if (block.group(1).endsWith(LABEL)) {
        other = block.group(1);
      }
    }
    throw new IOException(
        String.format(
                Locale.ROOT,
                "%s must be a file with a private key in PKCS 8 without a password, which begins with"
                    + " -----BEGIN PRIVATE KEY-----. Provided value: %s%s",
                KEY,
                file,
                other.isEmpty() ? "" : ", which has another form, " + other)
            + (other.isEmpty() && !text.contains(LABEL)
                ? ""
                : "; make one with: openssl pkcs8 -topk8 -nocrypt -in " + file + " -out FILE"));
  }

  private static PrivateKey privateKey(byte[] encoded, X509Certificate certificate, Path file)
      throws IOException, GeneralSecurityException {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(encoded);
    String algorithm = certificate.getPublicKey().getAlgorithm();
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(spec);
    } catch (InvalidKeySpecException e) {
      for (String each : new String[] {"RSA", "EC", "EdDSA"}) {
        if (isKey(each, spec)) {
          throw otherKey(file);
        }
      }
      throw damaged(file, e);
    }
  }

  private static boolean isKey(String algorithm, PKCS8EncodedKeySpec spec)
      throws GeneralSecurityException {
    try {
      return KeyFactory.getInstance(algorithm).generatePrivate(spec).getEncoded().length > 0;
    } catch (InvalidKeySpecException e) {
      return false;
    }
  }

  /** Whether the certificate confirms what the key has signed. */
  private static boolean belong(PrivateKey key, X509Certificate certificate)
      throws GeneralSecurityException {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          case "EdDSA" -> "EdDSA";
          default -> "";
        };
    if (algorithm.isEmpty()) {
      return true; // unknown here: clients will see
    }
    byte[] text = "gauze".getBytes(StandardCharsets.US_ASCII);
    Signature signature = Signature.getInstance(algorithm);
    try {
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      return signature.verify(signed);
    } catch (InvalidKeyException | SignatureException e) {
      return false; // such as a signature of another curve
    }
  }

  private static IOException otherKey(Path file) {
    return new IOException(
        KEY
            + " must be the private key that belongs to the first certificate of "
            + CERTIFICATE
            + "; it is that of another. Provided value: "
            + file);
  }

  private static IOException damaged(Path file, Exception cause) {
    return new IOException(
        KEY
            + " must be a whole private key; the file is damaged, so copy it again. Provided value: "
            + file,
        cause);
  }
}
