package io.gauze.sql;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.ModuleFactory;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.module.Module;

/** {@code LOAD MODULE gauze}: the functions of fits, under their names. */
public final class GauzeModuleFactory implements ModuleFactory {
  @Override
  public String factoryIdentifier() {
    return "gauze";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of();
  }

  @Override
  public Module createModule(Context context) {
    FactoryUtil.createModuleFactoryHelper(this, context).validate();
    return new Functions(
        Map.of(
            "GAUZE_FIT", new FitFunction(),
            "GAUZE_REFUSAL", new RefusalFunction(),
            "GAUZE_MERGE", new MergeFunction(),
            "GAUZE_ROLLING_FIT", new RollingFitFunction()));
  }

  private record Functions(Map<String, FunctionDefinition> all) implements Module {
    @Override
    public Set<String> listFunctions() {
      return all.keySet();
    }

    @Override
    public Optional<FunctionDefinition> getFunctionDefinition(String name) {
      return Optional.ofNullable(all.get(name.toUpperCase(Locale.ROOT)));
    }
  }
}
