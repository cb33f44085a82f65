#!/bin/bash
# As the entry point of Flink's image: settings from FLINK_PROPERTIES, memory as Flink's own scripts work it out.
set -euo pipefail
conf=/opt/flink/conf

main_class=
case ${1:-} in
  jobmanager)
    main_class=org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint
    resources=GET_JM_RESOURCE_PARAMS
    ;;
  taskmanager)
    main_class=org.apache.flink.runtime.taskexecutor.TaskManagerRunner
    resources=GET_TM_RESOURCE_PARAMS
    ;;
  *) exec "$@" ;;
esac
{
  printf 'jobmanager.memory.process.size: 1600m\nrest.bind-address: 0.0.0.0\njobmanager.bind-host: 0.0.0.0\n'
  printf 'taskmanager.bind-host: 0.0.0.0\nblob.server.port: 6124\n'
  printf '%s\n' "${FLINK_PROPERTIES:-}"
} >$conf/config.yaml
export FLINK_CONF_DIR=$conf FLINK_LIB_DIR=/opt/flink/lib FLINK_PLUGINS_DIR=/opt/flink/plugins
mapfile -t results < <(java -cp '/opt/flink/lib/*' org.apache.flink.runtime.util.bash.BashJavaUtils "$resources" \
  --configDir $conf | sed -n 's/^BASH_JAVA_UTILS_EXEC_RESULT://p')
# shellcheck disable=SC2086 # several options, separated by spaces
exec java ${results[0]} --add-opens=java.base/java.util=ALL-UNNAMED \
  -Dlog4j.configurationFile=$conf/log4j-console.properties \
  -cp '/opt/flink/lib/*' $main_class --configDir $conf ${results[1]}
