import { createSocket, type Socket } from 'node:dgram';

/**
 * What a name answers: TXT records, each in one part or in several; no record of that type; a failure; or nothing at all. A name that is
 * not in the zone does not exist.
 */
export type Zone = Map<string, readonly (string | readonly string[])[] | 'servfail' | 'refused' | 'silent'>;

export interface DnsServer {
  /** For DNS_SERVERS. */
  address: string;
  zone: Zone;
  /** The names that were asked for, in order. */
  asked: string[];
  stop(): Promise<void>;
}

const NO_ERROR = 0;
const CODES = { servfail: 2, nothing: 3, refused: 5 } as const;
const TXT = 16;

/** A real DNS server on this machine. It answers questions for TXT records by UDP. */
export async function startDnsServer(): Promise<DnsServer> {
  const zone: Zone = new Map();
  const asked: string[] = [];
  const socket: Socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { name, end } = questionOf(message);
    asked.push(name);
    const found = zone.get(name.toLowerCase());
    if (found === 'silent') return;
    const records = Array.isArray(found) ? (found as readonly (string | readonly string[])[]) : [];
    const code = found === undefined ? CODES.nothing : typeof found === 'string' ? CODES[found] : NO_ERROR;
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    head.writeUInt16BE(0x8180 | code, 2); // an answer, recursion asked for and offered
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, message.subarray(12, end), ...records.map(recordOf)]), from.port, from.address);
  });
  await new Promise<void>((done) => socket.bind(0, '127.0.0.1', done));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    zone,
    asked,
    stop: () => new Promise((done) => socket.close(() => done())),
  };
}

/** The name of the question, and where the question ends. */
function questionOf(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), end: at + 5 };
}

function recordOf(text: string | readonly string[]): Buffer {
  const parts = [text].flat().map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')]));
  const data = Buffer.concat(parts);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
