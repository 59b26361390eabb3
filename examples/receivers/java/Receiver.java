import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  static final byte[] SECRET = System.getenv("WEBHOOK_SECRET").getBytes(UTF_8); // the whole secret, including whsec_
  static final Pattern SIGNATURE = Pattern.compile("t=([0-9]{1,15})((?:,v[0-9]+=[^,]+){1,9})");

  static boolean isGenuine(byte[] body, String header) throws GeneralSecurityException {
    var match = SIGNATURE.matcher(header == null ? "" : header);
    if (!match.matches()) return false;
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
    mac.update((match.group(1) + ".").getBytes(UTF_8));
    var expected = ("v1=" + HexFormat.of().formatHex(mac.doFinal(body))).getBytes(UTF_8);
    var found = false;
    for (var entry : match.group(2).split(",")) found |= MessageDigest.isEqual(expected, entry.getBytes(UTF_8));
    return found && Math.abs(Instant.now().getEpochSecond() - Long.parseLong(match.group(1))) <= 300;
  }

  static void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      var genuine = isGenuine(body, exchange.getRequestHeaders().getFirst("Service-Signature"));
      if (genuine) System.out.println(new String(body, UTF_8));
      exchange.sendResponseHeaders(genuine ? 204 : 400, -1);
    } catch (GeneralSecurityException unavailable) {
      throw new IllegalStateException(unavailable);
    }
  }

  public static void main(String[] arguments) throws IOException {
    var port = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.createContext("/", Receiver::receive);
    server.start();
  }
}
