import { type AddressInfo, createServer } from 'node:net';
import tls from 'node:tls';
import { announce } from './support.ts';

/** Receivers on loopback, each on a port of its own. They count complete requests and answer at once, or never. */
const { KEY, CERT, RECEIVERS } = process.env as { KEY: string; CERT: string; RECEIVERS: string };
const counts: number[] = [];
const hanging = new Set<number>();
let firstAt = 0;
let lastAt = 0;
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');

const servers = Array.from({ length: Number(RECEIVERS) }, (_, i) => {
  counts[i] = 0;
  return tls.createServer({ key: KEY, cert: CERT, ALPNProtocols: ['http/1.1'] }, (socket) => {
    let held = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      for (let size = sizeOf(held); size !== null && held.length >= size; size = sizeOf(held)) {
        held = held.subarray(size);
        if (hanging.has(i)) continue;
        counts[i]! += 1;
        lastAt = Date.now();
        if (firstAt === 0) firstAt = lastAt;
        socket.write(ANSWER);
      }
    });
  });
});

/** The size of the first request, head and body; null while its head is not complete. */
function sizeOf(bytes: Buffer): number | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString('latin1', 0, end));
  return end + 4 + Number(length?.[1] ?? 0);
}

await Promise.all(servers.map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))));

/** The bench controls the receivers by a plain port: it sends one line, `counts`, `reset` or `hang N`. */
const control = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (line) => {
    const [word, which] = line.toString().trim().split(' ');
    if (word === 'reset') {
      counts.fill(0);
      hanging.clear();
      firstAt = 0;
      lastAt = 0;
    }
    if (word === 'hang') hanging.add(Number(which));
    socket.end(JSON.stringify({ counts, firstAt, lastAt }));
  });
});
await new Promise<void>((done) => control.listen(0, '127.0.0.1', done));
const portOf = (address: AddressInfo | string | null) => (address as AddressInfo).port;
announce(
  { ports: servers.map((server) => portOf(server.address())), control: portOf(control.address()) },
  async () => {},
);
