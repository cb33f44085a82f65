package io.gauze.cli;

import io.gauze.answer.LedgerFeed;
import io.gauze.answer.ReleaseFeed;
import io.gauze.answer.ReleaseFolder;
import io.gauze.answer.ReleaseLibrary;
import io.gauze.cli.option.CommandMessage;
import io.gauze.cli.option.ExitStatus;
import io.gauze.cli.option.PrivacyRefusalException;
import io.gauze.cli.option.Version;
import io.gauze.cli.release.ReleaseStore;
import io.gauze.config.ConfigException;
import io.gauze.config.ConfiguredStream;
import io.gauze.config.StreamConfig;
import io.gauze.http.ServiceServer;
import io.gauze.http.ServiceSettings;
import io.gauze.http.ServiceSettings.Listen;
import io.gauze.http.protocol.ClientLimits;
import io.gauze.http.protocol.PemKeys;
import io.gauze.http.protocol.ServerCertificate;
import io.gauze.http.resource.ServiceExtras;
import io.gauze.local.CloseAtExit;
import io.gauze.message.Message;
import io.gauze.report.AdvisedStream;
import io.gauze.report.Messages;
import io.gauze.topic.Secrets;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code serve}: releases and fits over HTTP, from a topic or from files. */
@Command(
    name = "serve",
    description = {
      "Serves releases, and fits of them, over HTTP until Ctrl-C: those of a config's topic, or"
          + " those in the files of a folder. It reads only; fits cost no more privacy.",
      "Listens to this machine alone, unless --listen names another address."
    },
    footer = {
      "",
      "Examples:",
      "  ./gauze serve --config examples/meters.yaml",
      "  ./gauze serve --releases DIR --listen 0.0.0.0:8642 \\",
      "      --token '$${file:/etc/gauze/token}'"
    })
public final class ServeCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ServeCommand.class);

  static final Duration TOPIC = Duration.ofMillis(200);
  private static final Duration FOLDER = Duration.ofSeconds(1);

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "A stream's description, whose topic of releases is served.")
  private Optional<Path> config;

  @Option(
      names = "--releases",
      paramLabel = "DIR",
      description =
          "A folder of releases: .avro, .json or .npz. Files that are added later are served, too.")
  private Optional<Path> folder;

  @Option(
      names = "--ledger",
      description = {
        "With --config: also tells what was spent on the rows, as gauze ledger does. Reads the"
            + " config's topic of the ledger, for which it needs the right to."
      })
  private boolean ledger;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "The address to listen at (default: 127.0.0.1:8642).")
  private Optional<String> listen;

  @Option(
      names = "--token",
      paramLabel = "REF",
      description =
          "A token that clients must send (Authorization: Bearer), as $${env:NAME} or"
              + " $${file:PATH}.")
  private Optional<String> token;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description =
          "A certificate in PEM, for HTTPS, and then those that sign it. It is read at the start.")
  private Optional<Path> certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its private key in PEM (PKCS 8, without a password).")
  private Optional<Path> key;

  @Option(
      names = "--request-timeout",
      paramLabel = "DURATION",
      defaultValue = "PT30S",
      description =
          "How long a client may take to send a request, in [PT1S, PT10M] (default: PT30S).")
  private Duration requestTimeout;

  @Option(
      names = "--end-with-input",
      description =
          "Ends when its standard input ends, so that a program that starts it cannot leave it"
              + " behind.")
  private boolean endsWithInput;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Optional<PemKeys> keys = keys();
    ServiceSettings settings = settings(keys);
    PrintWriter err = spec.commandLine().getErr();
    Optional<ServerCertificate> shown = keys.map(PemKeys::certificate).map(ServerCertificate::new);
    warn(settings, err);
    shown.flatMap(each -> each.complaint(Instant.now())).ifPresent(why -> warnOfClients(why, err));
    try (ServiceServer service = start(settings, err)) {
      CloseAtExit.register(service);
      CloseAtExit.endNormallyBySignal(true);
      spec.commandLine().getOut().println(service.address());
      spec.commandLine().getOut().flush();
      err.println("serving until Ctrl-C; try: " + curl(service.address(), shown));
      err.flush();
      if (endsWithInput) {
        endWithInput(service);
      }
      service.join();
      return ExitStatus.DONE;
    } finally {
      CloseAtExit.endNormallyBySignal(false);
    }
  }

  // The system closes the input when the program at its other end is gone, however that ended.
  private static void endWithInput(ServiceServer service) {
    Thread watch =
        new Thread(
            () -> {
              try (service) {
                System.in.transferTo(OutputStream.nullOutputStream());
              } catch (IOException e) {
                LOG.warn("The standard input cannot be read any more: {}", e.toString());
              }
            },
            "gauze-input");
    watch.setDaemon(true);
    watch.start();
  }

  /** A line that works for the certificate: with a host that it names, and trusted if need be. */
  private String curl(URI address, Optional<ServerCertificate> shown) {
    String header = token.isPresent() ? "-H 'Authorization: Bearer TOKEN' " : "";
    String trust =
        shown.filter(ServerCertificate::isSelfSigned).isPresent()
            ? "--cacert " + certificate.orElseThrow() + " "
            : "";
    String own = address.getHost().replaceAll("[\\[\\]]", "");
    List<String> hosts = shown.map(ServerCertificate::hosts).orElse(List.of());
    String host =
        hosts.contains(own)
            ? own
            : hosts.stream().filter(each -> !each.startsWith("*")).findFirst().orElse(own);
    Listen reached = new Listen(host, address.getPort());
    return "curl " + header + trust + address.getScheme() + "://" + reached + "/v1/releases";
  }

  private Optional<PemKeys> keys() {
    require(
        certificate.isPresent() == key.isPresent(),
        "give both --tls-certificate and --tls-key, or neither");
    try {
      return certificate.isPresent()
          ? Optional.of(PemKeys.read(certificate.get(), key.orElseThrow()))
          : Optional.empty();
    } catch (IOException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }

  private ServiceSettings settings(Optional<PemKeys> keys) throws IOException {
    require(
        config.isPresent() != folder.isPresent(),
        "give either --config, whose topic has the releases, or --releases, a folder of them");
    require(
        folder.isEmpty() || Files.isDirectory(folder.get()),
        "--releases must be a folder that exists. Provided value: "
            + folder.map(Path::toString).orElse(""));
    require(
        !ledger || config.isPresent(), "--ledger needs --config, which names the ledger's topic");
    Listen address =
        checked(() -> listen.map(text -> Listen.parse("--listen", text)).orElse(Listen.USUAL));
    Optional<String> secret =
        checked(() -> token.map(reference -> Secrets.resolve("--token", reference)));
    return new ServiceSettings(
        address,
        secret,
        keys.map(PemKeys::context),
        folder.isPresent() ? FOLDER : TOPIC,
        clients(),
        Version.ofProgram());
  }

  private ClientLimits clients() {
    require(
        requestTimeout.compareTo(Duration.ofSeconds(1)) >= 0
            && requestTimeout.compareTo(ClientLimits.MOST) <= 0,
        "--request-timeout must be in [PT1S, "
            + ClientLimits.MOST
            + "]. Provided value: "
            + requestTimeout);
    return new ClientLimits(requestTimeout, ClientLimits.USUAL.bytesPerSecond());
  }

  private void warnOfClients(String complaint, PrintWriter err) {
    print(refused(certificate.orElseThrow(), complaint), err);
  }

  private void warn(ServiceSettings settings, PrintWriter err) {
    boolean loopback = address(settings.listen().host()).isLoopbackAddress();
    risk(loopback, settings.token().isPresent(), settings.tls().isPresent())
        .ifPresent(message -> print(message, err));
  }

  /** Returns what others on the network can do; empty if nothing, or if none can reach it. */
  static Optional<Message> risk(boolean loopback, boolean token, boolean tls) {
    if (loopback || (token && tls)) {
      return Optional.empty();
    }
    return Optional.of((token ? CommandMessage.CLEARTOKEN : CommandMessage.OPENSERVICE).of());
  }

  /** Returns the warning of a certificate that clients refuse. */
  static Message refused(Path certificate, String complaint) {
    return CommandMessage.CERTIFICATE
        .of()
        .with("It is " + certificate + ", which " + complaint + ".");
  }

  private static void print(Message warning, PrintWriter err) {
    Messages.all("warning: ", List.of(warning)).forEach(err::println);
    err.flush();
  }

  private InetAddress address(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new ParameterException(
          spec.commandLine(),
          "--listen must name an address of this machine, such as 127.0.0.1 or 0.0.0.0. Provided"
              + " value: "
              + host,
          e);
    }
  }

  private ServiceServer start(ServiceSettings settings, PrintWriter err)
      throws IOException, ConfigException, PrivacyRefusalException {
    if (folder.isPresent()) {
      ReleaseLibrary files = open(Optional.empty(), new ReleaseFolder(folder.get()));
      return ServiceServer.start(settings, files);
    }
    StreamConfig stream = StreamConfig.read(config.orElseThrow());
    Optional<AdvisedStream> advised = Optional.of(ConfiguredStream.read(config.orElseThrow()));
    Optional<LedgerFeed> spent =
        ledger ? Optional.of(LedgerCommand.view(stream)) : Optional.empty();
    ReleaseLibrary topic = open(Optional.of(stream.stream()), ReleaseStore.open(stream, err));
    return ServiceServer.start(settings, topic, new ServiceExtras(spent, advised));
  }

  private static ReleaseLibrary open(Optional<String> stream, ReleaseFeed feed) throws IOException {
    try {
      return new ReleaseLibrary(stream, feed, Clock.systemUTC());
    } catch (IOException e) {
      feed.close();
      throw e;
    }
  }

  private void require(boolean holds, String message) {
    if (!holds) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }

  private <T> T checked(Supplier<T> step) {
    try {
      return step.get();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
