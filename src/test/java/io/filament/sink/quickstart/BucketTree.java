package io.filament.sink.quickstart;

import java.nio.charset.Charset;
import java.util.Iterator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The objects of a bucket as a tree of their keys' segments, with their sizes. */
final class BucketTree {

  private static final int SIZE_COLUMN = 52;

  private final Node root = new Node();
  private final Lines lines;

  BucketTree(SortedMap<String, Long> bytesByKey, Charset terminal) {
    this.lines = terminal.newEncoder().canEncode('└') ? Lines.DRAWN : Lines.ASCII;
    bytesByKey.forEach(this::add);
  }

  private void add(String key, long bytes) {
    Node node = root;
    for (String segment : key.split("/", -1)) {
      node = node.children.computeIfAbsent(segment, name -> new Node());
    }
    node.bytes = bytes;
  }

  void print(String bucket, Console console) {
    console.line("s3://%s".formatted(bucket));
    printChildren(root, "", console);
  }

  private void printChildren(Node node, String indent, Console console) {
    Iterator<Map.Entry<String, Node>> children = node.children.entrySet().iterator();
    while (children.hasNext()) {
      Map.Entry<String, Node> entry = children.next();
      Node child = entry.getValue();
      String line = indent + (children.hasNext() ? lines.fork : lines.end) + entry.getKey();
      if (child.children.isEmpty()) {
        console.line(("%-" + SIZE_COLUMN + "s %10s").formatted(line, Texts.size(child.bytes)));
      } else {
        console.line(line);
      }
      printChildren(child, indent + (children.hasNext() ? lines.pass : "   "), console);
    }
  }

  private static final class Node {
    private final SortedMap<String, Node> children = new TreeMap<>();
    private long bytes;
  }

  private enum Lines {
    DRAWN("├─ ", "└─ ", "│  "),
    ASCII("|- ", "`- ", "|  ");

    private final String fork;
    private final String end;
    private final String pass;

    Lines(String fork, String end, String pass) {
      this.fork = fork;
      this.end = end;
      this.pass = pass;
    }
  }
}
