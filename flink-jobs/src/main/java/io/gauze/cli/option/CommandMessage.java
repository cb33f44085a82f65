package io.gauze.cli.option;

import io.gauze.message.Entry;
import io.gauze.message.Severity;

/** What commands say of files, settings and this machine. */
public enum CommandMessage implements Entry {
  RELEASED(
      Severity.REFUSED,
      "These rows were released already, and a release is never overwritten.",
      "Use that release; or name another --out if these are other rows.",
      "A second sum of the same rows under other noise would reveal more than the guarantee"
          + " allows."),
  BROKENPROMISE(
      Severity.RISK,
      "%s does not keep this promise: it achieves delta %s.",
      "Take a mechanism that gauze advise names.",
      "The classic Gaussian mechanism is proved for an epsilon below 1 only."),
  OPENSERVICE(
      Severity.RISK,
      "Everybody who reaches this address can read all releases.",
      "Set --token, or listen on 127.0.0.1.",
      "Releases keep their guarantee whoever reads them; questions take time of this machine."),
  CLEARTOKEN(
      Severity.RISK,
      "The token travels over the network without encryption.",
      "Set --tls-certificate and --tls-key, or let a proxy in front of the service do TLS.",
      "Who listens to the network can read the token, and then ask the service."),
  CERTIFICATE(
      Severity.RISK,
      "Clients will refuse the certificate of this service.",
      "Replace it, and start the service again.",
      "It has ended, has not begun, or names no host."),
  UNANNOUNCED(
      Severity.RISK,
      "The command stop will not find this job: the home folder cannot be written to.",
      "Set another home folder with GAUZE_JAVA_OPTS=-Duser.home=FOLDER.",
      "A job in one process writes the address at which it can be stopped to a file there."),
  UNREADABLE(
      Severity.RISK,
      "A record of the topic of releases is not a readable release, and is left out.",
      "Find out who wrote it; gauze releases lists the others.",
      "The bytes are not those of a release, or are a second, different body of one."),
  NOROWS(
      Severity.USELESS,
      "There was no row to sketch: the releases hold noise alone.",
      "Look at the file, and how it is read, with gauze check --csv.",
      "The releases are made all the same, since whether there is one must not depend on a row."),
  LEFTOUT(
      Severity.BIASED,
      "Rows left out: %,d of %,d (%s %%).",
      "Correct the file, or how it is read, for the reasons below.",
      "The numbers are exact and not private, so they are for the owner of the rows only."),
  ONEEPOCH(
      Severity.NOTE,
      "Model %s (%s) improves from epoch to epoch, and a file is one epoch.",
      "Take the mechanism huber; or make epochs of the rows with gauze up and gauze send.",
      "Each epoch has a model that begins with the one before."),
  DECIMAL(
      Severity.NOTE,
      "Numbers have another decimal character in columns %s.",
      "Give --decimal , for commas; leave it out for points.",
      "Without it these columns are read as texts."),
  ONECOLUMN(
      Severity.NOTE,
      "The header has one column, and a fit needs two.",
      "Separate values by comma, semicolon, tab or bar.",
      "The separator is found in the header."),
  FAULTYROWS(
      Severity.NOTE,
      "Some of the first rows cannot be read.",
      "Correct them, or how the file is read; gauze check --csv counts them.",
      "Whether a column holds numbers or texts is seen from the first rows."),
  UNKNOWNKEY(
      Severity.NOTE,
      "%s is not known; the nearest key is %s.",
      "Correct it, or leave it out; keep it if a plugin knows it.",
      "The keys are those of Kafka's clients and of Flink in the versions of this program."),
  FAILOVER(
      Severity.NOTE,
      "flink.properties.%s is left out: a job in one process restarts as a whole.",
      "Remove it from the config, or run the job on a cluster.",
      "In one process a task cannot restart without the others."),
  PLAINBROKER(
      Severity.NOTE,
      "kafka.properties are left out: the broker of this process is local and without login.",
      "Use gauze run for a broker that needs them.",
      "`gauze up` starts its own broker, for trying out."),
  ONEREPLICA(
      Severity.NOTE,
      "Topics have 1 replica here: this process has one broker.",
      "Use gauze run for a cluster of brokers.",
      "`gauze up` starts its own broker, for trying out.");

  @SuppressWarnings("ImmutableEnumChecker") // a record of texts
  private final Text text;

  CommandMessage(Severity severity, String message, String action, String explanation) {
    this.text = new Text(severity, message, action, explanation);
  }

  @Override
  public Text text() {
    return text;
  }
}
