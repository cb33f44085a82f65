package io.gauze.kafka;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The Flink type of an immutable message with its own versioned serialization. Messages travel
 * between operators of one running job; operator state is plain {@code byte[]} and never uses this
 * type.
 *
 * @param <T> an immutable class
 */
public final class WireType<T> extends TypeInformation<T> {
  private static final long serialVersionUID = 1L;

  /** The serialization of a message; a stateless enum or class with a no-argument constructor. */
  public interface Codec<T> extends Serializable {
    /** Writes {@code value}, with its version byte first. */
    void write(T value, DataOutputView out) throws IOException;

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IOException if the version is unknown; the message names it
     */
    T read(DataInputView in) throws IOException;

    /**
     * Reads the version byte and returns it.
     *
     * @throws IOException if it is not the known version; the message names both
     */
    static int version(DataInputView in, int known, String what) throws IOException {
      return version(in, known, known, what);
    }

    /**
     * Reads the version byte and returns it.
     *
     * @throws IOException if it is not in [least, most]; the message names all three
     */
    static int version(DataInputView in, int least, int most, String what) throws IOException {
      int version = in.readByte();
      if (version < least || version > most) {
        String known = least == most ? "version " + most : "versions " + least + " to " + most;
        throw new IOException(what + " has version " + version + "; this program reads " + known);
      }
      return version;
    }
  }

  private final Class<T> type;
  private final Class<? extends Codec<T>> codec;

  private WireType(Class<T> type, Class<? extends Codec<T>> codec) {
    this.type = type;
    this.codec = codec;
  }

  /**
   * Returns the type of {@code type}, serialized by {@code codec}, which must have a public
   * no-argument constructor.
   */
  public static <T> WireType<T> of(Class<T> type, Class<? extends Codec<T>> codec) {
    return new WireType<>(type, codec);
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return new Serializer<>(codec);
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public String toString() {
    return "WireType<" + type.getSimpleName() + ">";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof WireType<?> that && that.type == type && that.codec == codec;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof WireType<?>;
  }

  private static <C> C instantiate(Class<C> codec) {
    try {
      return codec.getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(
          "codec " + codec.getName() + " needs a public no-argument constructor", e);
    }
  }

  private static final class Serializer<T> extends TypeSerializerSingleton<T> {
    private static final long serialVersionUID = 1L;
    private final Class<? extends Codec<T>> codecClass;
    private final Codec<T> codec;

    Serializer(Class<? extends Codec<T>> codecClass) {
      this.codecClass = codecClass;
      this.codec = instantiate(codecClass);
    }

    @Override
    public boolean isImmutableType() {
      return true;
    }

    @Override
    public T createInstance() {
      throw new IllegalStateException(
          "messages are immutable: there is no empty instance of " + codecClass.getName());
    }

    @Override
    public T copy(T from) {
      return from;
    }

    @Override
    public T copy(T from, T reuse) {
      return from;
    }

    @Override
    public int getLength() {
      return -1;
    }

    @Override
    public void serialize(T value, DataOutputView out) throws IOException {
      codec.write(value, out);
    }

    @Override
    public T deserialize(DataInputView in) throws IOException {
      return codec.read(in);
    }

    @Override
    public T deserialize(T reuse, DataInputView in) throws IOException {
      return codec.read(in);
    }

    @Override
    public void copy(DataInputView in, DataOutputView out) throws IOException {
      codec.write(codec.read(in), out);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Serializer<?> that && that.codecClass == codecClass;
    }

    @Override
    public int hashCode() {
      return codecClass.hashCode();
    }

    @Override
    public TypeSerializerSnapshot<T> snapshotConfiguration() {
      return new Snapshot<>(codecClass);
    }
  }

  /** The serializer snapshot: it names the codec, so that a restored job finds it. */
  public static final class Snapshot<T> implements TypeSerializerSnapshot<T> {
    private Class<? extends Codec<T>> codec;

    /** For Flink, which fills it through {@link #readSnapshot}. */
    public Snapshot() {}

    Snapshot(Class<? extends Codec<T>> codec) {
      this.codec = codec;
    }

    @Override
    public int getCurrentVersion() {
      return 1;
    }

    @Override
    public void writeSnapshot(DataOutputView out) throws IOException {
      out.writeUTF(codec.getName());
    }

    @Override
    @SuppressWarnings("unchecked")
    public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
      String name = in.readUTF();
      try {
        codec =
            (Class<? extends Codec<T>>) Class.forName(name, false, loader).asSubclass(Codec.class);
      } catch (ClassNotFoundException e) {
        throw new IOException(
            "the state was written with codec " + name + ", which this program does not have", e);
      }
    }

    @Override
    public TypeSerializer<T> restoreSerializer() {
      return new Serializer<>(codec);
    }

    @Override
    public TypeSerializerSchemaCompatibility<T> resolveSchemaCompatibility(
        TypeSerializerSnapshot<T> old) {
      return old instanceof Snapshot<?> that && that.codec == codec
          ? TypeSerializerSchemaCompatibility.compatibleAsIs()
          : TypeSerializerSchemaCompatibility.incompatible();
    }
  }
}
