package io.filament.sink.s3.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The bodies of S3's requests and answers (S3 API, each operation's syntax). */
final class S3Xml {

  private static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

  private S3Xml() {}

  static List<BucketContent.Listed> listed(byte[] body) {
    List<BucketContent.Listed> listed = new ArrayList<>();
    NodeList parts = document(body).getElementsByTagName("Part");
    for (int i = 0; i < parts.getLength(); i++) {
      Element part = (Element) parts.item(i);
      listed.add(
          new BucketContent.Listed(
              Integer.parseInt(text(part, "PartNumber").orElse("0")),
              text(part, "ETag").orElse(""),
              text(part, "ChecksumCRC32C")));
    }
    if (listed.isEmpty()) {
      throw malformed();
    }
    return listed;
  }

  static String started(String bucket, String key, String id) {
    return HEAD
        + "<InitiateMultipartUploadResult>"
        + element("Bucket", bucket)
        + element("Key", key)
        + element("UploadId", id)
        + "</InitiateMultipartUploadResult>";
  }

  static String completed(String bucket, String key, BucketContent.Stored stored) {
    StringBuilder text = new StringBuilder(HEAD + "<CompleteMultipartUploadResult>");
    text.append(element("Bucket", bucket)).append(element("Key", key));
    text.append(element("ETag", stored.etag()));
    if (!stored.checksum().isEmpty()) {
      text.append(element("ChecksumCRC32C", stored.checksum().get(BodyChecks.CRC32C)));
      text.append(element("ChecksumType", stored.checksum().get(BodyChecks.TYPE)));
    }
    return text.append("</CompleteMultipartUploadResult>").toString();
  }

  /** A page of uploads, after the marker, in the order of keys and ids. */
  static String uploads(WireRequest request, Map<String, BucketContent.Pending> uploads) {
    String prefix = request.queryOr("prefix", "");
    String keyMarker = request.queryOr("key-marker", "");
    String idMarker = request.queryOr("upload-id-marker", "");
    int most = Integer.parseInt(request.queryOr("max-uploads", "1000"));
    List<String[]> found =
        uploads.entrySet().stream()
            .map(upload -> new String[] {upload.getValue().key(), upload.getKey()})
            .filter(upload -> upload[0].startsWith(prefix))
            .filter(
                upload -> {
                  int order = upload[0].compareTo(keyMarker);
                  return order > 0 || (order == 0 && upload[1].compareTo(idMarker) > 0);
                })
            .sorted((a, b) -> a[0].equals(b[0]) ? a[1].compareTo(b[1]) : a[0].compareTo(b[0]))
            .toList();
    List<String[]> page = found.subList(0, Math.min(most, found.size()));
    StringBuilder text = new StringBuilder(HEAD + "<ListMultipartUploadsResult>");
    text.append(element("Bucket", request.bucket()));
    text.append(element("IsTruncated", String.valueOf(page.size() < found.size())));
    if (page.size() < found.size() && !page.isEmpty()) {
      String[] last = page.get(page.size() - 1);
      text.append(element("NextKeyMarker", name(request, last[0])));
      text.append(element("NextUploadIdMarker", last[1]));
    }
    encoding(request, text);
    for (String[] upload : page) {
      text.append("<Upload>").append(element("Key", name(request, upload[0])));
      text.append(element("UploadId", upload[1])).append("</Upload>");
    }
    return text.append("</ListMultipartUploadsResult>").toString();
  }

  static String objects(WireRequest request, SortedMap<String, BucketContent.Stored> objects) {
    String prefix = request.queryOr("prefix", "");
    String after = request.queryOr("continuation-token", request.queryOr("start-after", ""));
    int most = Integer.parseInt(request.queryOr("max-keys", "1000"));
    List<String> found =
        objects.keySet().stream()
            .filter(key -> key.startsWith(prefix) && key.compareTo(after) > 0)
            .toList();
    List<String> page = found.subList(0, Math.min(most, found.size()));
    StringBuilder text = new StringBuilder(HEAD + "<ListBucketResult>");
    text.append(element("Name", request.bucket()));
    text.append(element("KeyCount", String.valueOf(page.size())));
    text.append(element("IsTruncated", String.valueOf(page.size() < found.size())));
    if (page.size() < found.size() && !page.isEmpty()) {
      text.append(element("NextContinuationToken", page.get(page.size() - 1)));
    }
    encoding(request, text);
    for (String key : page) {
      BucketContent.Stored stored = objects.get(key);
      text.append("<Contents>").append(element("Key", name(request, key)));
      text.append(element("LastModified", stored.modified().toString()));
      text.append(element("ETag", stored.etag()));
      text.append(element("Size", String.valueOf(stored.content().length))).append("</Contents>");
    }
    return text.append("</ListBucketResult>").toString();
  }

  static String parts(WireRequest request, SortedMap<Integer, byte[]> parts) {
    StringBuilder text = new StringBuilder(HEAD + "<ListPartsResult>");
    text.append(element("Bucket", request.bucket())).append(element("Key", request.key()));
    text.append(element("UploadId", request.queryOr("uploadId", "")));
    text.append(element("IsTruncated", "false"));
    parts.forEach(
        (number, content) -> {
          text.append("<Part>").append(element("PartNumber", String.valueOf(number)));
          text.append(element("ETag", BodyChecks.etag(content)));
          text.append(element("Size", String.valueOf(content.length))).append("</Part>");
        });
    return text.append("</ListPartsResult>").toString();
  }

  private static void encoding(WireRequest request, StringBuilder text) {
    if ("url".equals(request.queryOr("encoding-type", ""))) {
      text.append(element("EncodingType", "url"));
    }
  }

  private static String name(WireRequest request, String key) {
    return "url".equals(request.queryOr("encoding-type", ""))
        ? URLEncoder.encode(key, UTF_8).replace("+", "%20")
        : key;
  }

  private static String element(String name, String text) {
    return "<" + name + ">" + WireAnswer.escaped(text) + "</" + name + ">";
  }

  private static Optional<String> text(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return found.getLength() == 0 ? Optional.empty() : Optional.of(found.item(0).getTextContent());
  }

  private static Document document(byte[] body) {
    try {
      return DocumentBuilderFactory.newDefaultInstance()
          .newDocumentBuilder()
          .parse(new ByteArrayInputStream(body));
    } catch (SAXException | IOException | ParserConfigurationException e) {
      throw malformed();
    }
  }

  private static Refusal malformed() {
    return new Refusal(400, "MalformedXML", "The XML you provided was not well-formed");
  }
}
