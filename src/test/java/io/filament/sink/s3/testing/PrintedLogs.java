package io.filament.sink.s3.testing;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * An SLF4J binding that prints all that is logged, at every level, each entry on one line: {@code
 * LOG logger level text}. For JVMs of their own, which choose it with {@code -Dslf4j.provider}.
 */
public final class PrintedLogs implements SLF4JServiceProvider {

  /** What the lines begin with. */
  public static final String MARK = "LOG ";

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new NOPMDCAdapter();

  /** For SLF4J. */
  public PrintedLogs() {}

  @Override
  public ILoggerFactory getLoggerFactory() {
    return PrintedLogger::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  private static final class PrintedLogger extends LegacyAbstractLogger implements Logger {

    private static final long serialVersionUID = 1;

    PrintedLogger(String name) {
      this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
      return true;
    }

    @Override
    public boolean isDebugEnabled() {
      return true;
    }

    @Override
    public boolean isInfoEnabled() {
      return true;
    }

    @Override
    public boolean isWarnEnabled() {
      return true;
    }

    @Override
    public boolean isErrorEnabled() {
      return true;
    }

    @Override
    protected String getFullyQualifiedCallerName() {
      return "";
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level, Marker marker, String text, Object[] arguments, Throwable failure) {
      StringWriter entry = new StringWriter();
      entry.append(MARK + name + " " + level + " ");
      entry.append(MessageFormatter.basicArrayFormat(text, arguments));
      if (failure != null) {
        failure.printStackTrace(new PrintWriter(entry, true));
      }
      System.out.println(entry.toString().replace('\n', ' ').replace('\r', ' '));
    }
  }
}
