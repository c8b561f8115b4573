package io.filament.sink.s3.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Marks a test that is run once for every S3 server at hand. It takes one {@link S3Endpoint}:
 *
 * <pre>{@code
 * @EachS3Endpoint
 * void storedObjectIsReadBack(S3Endpoint endpoint) { ... }
 * }</pre>
 *
 * <p>{@code mvn test -Dgroups=s3} runs these tests alone.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Tag("s3")
@ParameterizedTest(name = "{0}")
@MethodSource("io.filament.sink.s3.testing.S3Endpoints#all")
public @interface EachS3Endpoint {}
