package io.gauze.sql;

import java.util.List;
import java.util.Optional;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.ArgumentCount;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.InputTypeStrategy;
import org.apache.flink.table.types.inference.Signature;
import org.apache.flink.table.types.inference.StaticArgument;
import org.apache.flink.table.types.inference.TypeInference;

/**
 * Checks a question whose arguments are literals when the query is planned, so that a wrong one is
 * an error of the statement. One that columns give is checked for each row.
 */
record LiteralQuestion(InputTypeStrategy types, List<StaticArgument> arguments)
    implements InputTypeStrategy {
  /** Returns a function's types with this check. */
  static TypeInference of(TypeInference function) {
    List<StaticArgument> arguments = function.getStaticArguments().orElseThrow();
    return TypeInference.newBuilder()
        .staticArguments(arguments)
        .inputTypeStrategy(new LiteralQuestion(function.getInputTypeStrategy(), arguments))
        .outputTypeStrategy(function.getOutputTypeStrategy())
        .build();
  }

  @Override
  public Optional<List<DataType>> inferInputTypes(CallContext call, boolean throwOnFailure) {
    Optional<SqlQuestion> question = question(call);
    if (question.isPresent()) {
      try {
        question.get().checked();
        ReleaseFits.level(question.get());
      } catch (RefusedException e) {
        throw e.ofStatement();
      }
    }
    return types.inferInputTypes(call, throwOnFailure);
  }

  /** Returns the question; empty if an argument after the first one is no literal. */
  private Optional<SqlQuestion> question(CallContext call) {
    SqlQuestion question = SqlQuestion.EMPTY;
    int given = Math.min(arguments.size(), call.getArgumentDataTypes().size());
    for (int k = 1; k < given; k++) {
      if (call.isArgumentNull(k)) {
        continue; // not given
      }
      StaticArgument argument = arguments.get(k);
      Class<?> type = argument.getDataType().orElseThrow().getConversionClass();
      Optional<?> value =
          call.isArgumentLiteral(k) ? call.getArgumentValue(k, type) : Optional.empty();
      if (value.isEmpty()) {
        return Optional.empty();
      }
      question = question.with(SqlQuestion.field(argument.getName()), value.get());
    }
    return Optional.of(question);
  }

  @Override
  public ArgumentCount getArgumentCount() {
    return types.getArgumentCount();
  }

  @Override
  public List<Signature> getExpectedSignatures(FunctionDefinition definition) {
    return types.getExpectedSignatures(definition);
  }
}
