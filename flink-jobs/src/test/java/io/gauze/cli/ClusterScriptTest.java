package io.gauze.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.gauze.testing.OwnersFiles;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script of the local cluster, in a project of empty files, with a java that only fails. */
@DisabledOnOs(OS.WINDOWS)
final class ClusterScriptTest {
  private static final Path SCRIPT =
      Path.of("..", "cluster", "gauze-cluster").toAbsolutePath().normalize();
  private static final FileTime LONG_AGO = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
  private static final FileTime FAR_AHEAD = FileTime.from(Instant.parse("2200-01-01T00:00:00Z"));

  @TempDir private Path folder;
  private Path project;
  private Path cluster;
  private Path jar;

  /** Folders before those of PATH. */
  private String tools = "";

  @BeforeEach
  void layOutAProjectThatIsBuilt() throws IOException {
    project = Files.createDirectory(folder.resolve("the project"));
    cluster = folder.resolve("cluster");
    Path java = file("bin/java");
    Files.writeString(java, "#!/bin/sh\nexit 1\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Files.copy(SCRIPT, file("cluster/gauze-cluster"), StandardCopyOption.REPLACE_EXISTING);
    file("cluster/target/flink/one.jar");
    file("flink-jobs/target/lib/one.jar");
    jar = file("flink-jobs/target/gauze-cluster.jar");
    for (String source :
        List.of("pom.xml", "sketch-core/src/main/java/A.java", "flink-jobs/src/main/java/B.java")) {
      Files.setLastModifiedTime(file(source), LONG_AGO);
    }
  }

  @Test
  void saysThatTheJarIsOld() throws Exception {
    assertThat(start())
        .contains("the broker's folder could not be made")
        .doesNotContain("is older than");

    Files.setLastModifiedTime(project.resolve("sketch-core/src/main/java/A.java"), FAR_AHEAD);
    assertThat(start())
        .contains("gauze-cluster.jar is older than sketch-core/src/main/java/A.java; renew it: mvn")
        .contains("the broker's folder could not be made");
    assertThat(jar).isEmptyFile();
  }

  /** Topics hold raw rows, checkpoints exact sums. */
  @Test
  void nobodyButTheOwnerMayReadWhatIsKept() throws Exception {
    Path left = Files.createDirectories(cluster.resolve("checkpoints"));
    Files.setPosixFilePermissions(left, PosixFilePermissions.fromString("rwxr-xr-x"));

    start();

    assertThat(cluster.resolve("log/kafka.log")).exists();
    assertThat(OwnersFiles.openToOthers(cluster)).isEmpty();
  }

  @Test
  void takesTheFourPortsThatItIsTold() throws Exception {
    int port = TakenPort.freeBase();

    assertThat(start("--port", "" + port)).contains("the broker's folder could not be made");

    assertThat(addresses())
        .containsExactly(
            "port=" + port,
            "kafka=" + port,
            "controller=" + (port + 1),
            "rest=" + (port + 2),
            "rpc=" + (port + 3));
    assertThat(cluster.resolve("conf/server.properties"))
        .content()
        .contains(
            "listeners=PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + (port + 1))
        .contains("voters=1@127.0.0.1:" + (port + 1));
    assertThat(cluster.resolve("conf/config.yaml"))
        .content()
        .contains("port: " + (port + 2) + ", bind-port: " + (port + 2) + "}")
        .contains("rpc: {address: 127.0.0.1, port: " + (port + 3) + "}");
  }

  @Test
  void refusesAPortThatIsTaken() throws Exception {
    try (TakenPort taken = TakenPort.lastOfFour()) {
      assertThat(start("--port", "" + taken.base()))
          .contains("port " + (taken.base() + 3) + " is taken by another program")
          .contains("Provided value: " + taken.base());
    }
    assertThat(cluster.resolve("conf/addresses")).doesNotExist();
    assertThat(run(2, "start", "--port", "65530").err())
        .contains("--port must be in [1, 65529]. Provided value: 65530");
  }

  @Test
  void highAvailabilityHasPortsOfItsOwnAndIsThatOfTheFirstStart() throws Exception {
    int port = TakenPort.freeBase();
    assertThat(start("--ha", "--port", "" + port))
        .contains("the broker's folder could not be made");

    assertThat(addresses())
        .endsWith("zookeeper=" + (port + 4), "rest-2=" + (port + 5), "rpc-2=" + (port + 6));
    assertThat(cluster.resolve("conf/zookeeper.properties"))
        .content()
        .contains("clientPort=" + (port + 4) + "\n", "clientPortAddress=127.0.0.1\n")
        .contains("dataDir=" + cluster.resolve("zookeeper"));
    assertThat(cluster.resolve("conf/config.yaml"))
        .content()
        .contains("  zookeeper: {quorum: 127.0.0.1:" + (port + 4) + ", client: ")
        .contains("  storageDir: file://" + cluster.resolve("ha"));
    assertThat(OwnersFiles.openToOthers(cluster)).isEmpty();
    assertThat(start()).as("as the first start").contains("the broker's folder could not be made");
    assertThat(addresses()).hasSize(8);
    assertThat(run(1, "clean").err())
        .contains(
            "no job manager runs that knows which jobs are to go on; start the cluster first");
  }

  @Test
  void aClusterWithoutHighAvailabilityGetsNoneLater() throws Exception {
    start();
    assertThat(run(1, "start", "--ha").err()).contains("was first started without --ha");
    assertThat(run(2, "status", "--ha").err()).contains("--ha is an option of start");
  }

  @Test
  void findsOtherPortsIfAnotherProgramHasOne() throws Exception {
    start();
    List<String> first = addresses();
    start();
    assertThat(addresses()).as("those of the first start, which configs name").isEqualTo(first);
    try (TakenPort taken = TakenPort.lastOfFour()) {
      Files.writeString(
          cluster.resolve("conf/addresses"),
          "port=" + taken.base() + "\nkafka=" + taken.base() + "\n");

      assertThat(start())
          .contains("port " + (taken.base() + 3) + " is taken by another program")
          .contains("change kafka.bootstrap");
      assertThat(addresses()).doesNotContain("kafka=" + taken.base()).hasSize(5);
    }
  }

  @Test
  void clearsWhatKilledWorkersLeave() throws Exception {
    Path left = file(cluster, "tmp/taskmanager-7/flink-io-1/spilled");
    Path pid = Files.writeString(file(cluster, "run/taskmanager-7.pid"), "4194304999\n");

    start();

    assertThat(left).doesNotExist();
    assertThat(pid).doesNotExist();
  }

  @Test
  void listsAndRemovesCheckpointsOfJobsThatDoNotRun() throws Exception {
    String one = "0123456789abcdef0123456789abcdef";
    String two = "f123456789abcdef0123456789abcdef";
    start();
    Path first = file(cluster, "checkpoints/" + one + "/chk-7/_metadata").getParent();
    Path second = file(cluster, "checkpoints/" + two + "/chk-1/_metadata").getParent();
    Path savepoint = file(cluster, "savepoints/savepoint-012345-abcdef/_metadata").getParent();

    assertThat(run(0, "checkpoints").out())
        .contains("checkpoint=" + first)
        .contains("job=" + one + " runs=no")
        .contains("savepoint=" + savepoint);
    Outcome asked = run(0, "clean");
    assertThat(asked.out())
        .contains(first.toString(), second.toString())
        .doesNotContain("savepoint");
    assertThat(asked.err()).contains("nothing is removed yet").contains("clean --yes");
    assertThat(first).exists();

    assertThat(run(0, "clean", one).out()).isEqualTo("removed=" + first.getParent() + "\n");
    assertThat(first.getParent()).doesNotExist();
    assertThat(second).exists();
    run(0, "clean", "--yes");
    assertThat(second.getParent()).doesNotExist();
    assertThat(savepoint).exists();
    run(0, "clean", "savepoint-012345-abcdef");
    assertThat(savepoint).doesNotExist();
    assertThat(run(2, "clean", "../kafka").err()).contains("neither a job with checkpoints nor");
    assertThat(cluster.resolve("kafka")).exists();
  }

  /** The job completes its next checkpoint, and removes this one, while the list is made. */
  @Test
  void listsTheJobWhoseCheckpointIsReplacedMeanwhile() throws Exception {
    String job = "0123456789abcdef0123456789abcdef";
    start();
    Path old = file(cluster, "checkpoints/" + job + "/chk-7/_metadata").getParent();
    Path next = old.resolveSibling("chk-8");
    Path date = file("tools/date");
    Files.writeString(
        date,
        "#!/bin/sh\n[ ! -d '"
            + old
            + "' ] || mv '"
            + old
            + "' '"
            + next
            + "'\n"
            + "PATH=${PATH#*:}\nexec date \"$@\"\n");
    assertThat(date.toFile().setExecutable(true)).isTrue();
    tools = date.getParent() + ":";

    assertThat(run(0, "checkpoints").out())
        .startsWith("checkpoint=" + next + " written=20")
        .hasLineCount(1);
  }

  private record Outcome(String out, String err) {}

  /** Fails, since the java here does nothing but that. */
  private String start(String... options) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("start"));
    arguments.addAll(List.of(options));
    return run(1, arguments.toArray(new String[0])).err();
  }

  private Outcome run(int status, String... arguments) throws Exception {
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    List<String> command =
        new ArrayList<>(List.of("bash", project.resolve("cluster/gauze-cluster").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--dir", cluster.toString()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().put("JAVA_HOME", project.toString());
    builder.environment().merge("PATH", tools, (path, before) -> before + path);
    int ended = builder.start().waitFor();
    Outcome outcome = new Outcome(Files.readString(out), Files.readString(err));
    assertThat(ended).as(outcome.toString()).isEqualTo(status);
    return outcome;
  }

  private List<String> addresses() throws IOException {
    return Files.readAllLines(cluster.resolve("conf/addresses"));
  }

  private Path file(String name) throws IOException {
    return file(project, name);
  }

  private static Path file(Path parent, String name) throws IOException {
    Path file = parent.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }

  /** Four ports in a row, the last of which is taken. */
  private record TakenPort(int base, ServerSocket socket) implements AutoCloseable {
    static TakenPort lastOfFour() throws IOException {
      ServerSocket socket = bound(0);
      return new TakenPort(socket.getLocalPort() - 3, socket);
    }

    /** The first of four ports that nobody has. */
    static int freeBase() throws IOException {
      while (true) {
        int base;
        try (TakenPort last = lastOfFour()) {
          base = last.base();
        }
        if (isFree(base) && isFree(base + 1) && isFree(base + 2)) {
          return base;
        }
      }
    }

    private static boolean isFree(int port) throws IOException {
      try (ServerSocket socket = bound(port)) {
        return socket.isBound();
      } catch (BindException e) {
        return false;
      }
    }

    private static ServerSocket bound(int port) throws IOException {
      return new ServerSocket(port, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}));
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
