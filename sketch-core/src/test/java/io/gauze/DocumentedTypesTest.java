package io.gauze;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** Every public type says what it is; the compiler checks the form of what is said. */
class DocumentedTypesTest {
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src", "main", "java"),
          Path.of("..", "regression", "src", "main", "java"),
          Path.of("..", "audit", "src", "main", "java"),
          Path.of("..", "papers", "src", "main", "java"),
          Path.of("..", "service", "src", "main", "java"),
          Path.of("..", "flink-jobs", "src", "main", "java"));

  @Test
  void everyPublicTypeHasAComment() throws IOException {
    List<JavaFileObject> files = new ArrayList<>();
    for (Path source : SOURCES) {
      try (Stream<Path> paths = Files.walk(source)) {
        paths
            .filter(path -> path.toString().endsWith(".java"))
            .forEach(path -> files.add(new Source(path.getFileName().toString(), read(path))));
      }
    }
    assertThat(files).hasSizeGreaterThan(400);
    assertThat(undocumented(files)).isEmpty();
  }

  /** A rule that could not fail would say nothing. */
  @Test
  void aMissingCommentIsFound() throws IOException {
    String text =
        """
        /** Has one. */
        public interface A {
          interface Inner {}
          // none
          record Other(int a) {}
          /** One. */
          enum Last { X }
        }
        class Internal {
          public static final class Helper {}
        }
        """;
    assertThat(undocumented(List.of(new Source("A.java", text))))
        .containsExactly("A.java: Inner", "A.java: Other");
  }

  private static List<String> undocumented(List<? extends JavaFileObject> files)
      throws IOException {
    JavacTask task =
        (JavacTask)
            ToolProvider.getSystemJavaCompiler()
                .getTask(null, null, null, List.of("-proc:none"), null, files);
    DocTrees docs = DocTrees.instance(task);
    List<String> found = new ArrayList<>();
    for (CompilationUnitTree unit : task.parse()) {
      for (Tree type : unit.getTypeDecls()) {
        if (type instanceof ClassTree top && isPublic(top)) {
          check(docs, new TreePath(new TreePath(unit), top), found);
        }
      }
    }
    return found;
  }

  private static void check(DocTrees docs, TreePath path, List<String> found) {
    ClassTree type = (ClassTree) path.getLeaf();
    String comment = docs.getDocComment(path);
    if (comment == null || comment.isBlank()) {
      found.add(path.getCompilationUnit().getSourceFile().getName() + ": " + type.getSimpleName());
    }
    for (Tree member : type.getMembers()) {
      boolean open = type.getKind() == Tree.Kind.INTERFACE;
      if (member instanceof ClassTree inner && (open || isPublic(inner))) {
        check(docs, new TreePath(path, inner), found);
      }
    }
  }

  private static boolean isPublic(ClassTree type) {
    return type.getModifiers().getFlags().contains(Modifier.PUBLIC);
  }

  private static String read(Path path) {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A source file in memory. */
  private static final class Source extends SimpleJavaFileObject {
    private final String name;
    private final String text;

    Source(String name, String text) {
      super(URI.create("source:///" + name), Kind.SOURCE);
      this.name = name;
      this.text = text;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
