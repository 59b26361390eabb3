import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { Pool } from 'undici';
import { announce } from '../support.ts';

/**
 * The upper limit: sends the same signed bodies over keep-alive connections, with the same number in flight to each endpoint, and
 * does nothing else: no queue, no check of addresses, no log.
 */
const { CA, PORTS, IN_FLIGHT } = process.env as { CA: string; PORTS: string; IN_FLIGHT: string };
const inFlight = Number(IN_FLIGHT);
const pools = PORTS.split(',').map(
  (port) => new Pool(`https://127.0.0.1:${port}`, { connections: inFlight, pipelining: 1, connect: { ca: CA } }),
);
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYqr';

async function send(endpoints: number, each: number, body: string): Promise<void> {
  const bytes = Buffer.from(body);
  await Promise.all(
    pools.slice(0, endpoints).map(async (pool) => {
      let left = each;
      const line = async () => {
        while (left > 0) {
          left -= 1;
          const t = Math.floor(Date.now() / 1000);
          const v1 = createHmac('sha256', secret).update(`${t}.`).update(bytes).digest('hex');
          const answer = await pool.request({
            path: '/hook',
            method: 'POST',
            headers: { 'content-type': 'application/json', 'service-signature': `t=${t},v1=${v1}` },
            body: bytes,
          });
          await answer.body.dump();
        }
      };
      await Promise.all(Array.from({ length: inFlight }, line));
    }),
  );
}

/** Whoever connects sends one line of JSON that says what to send, and is answered when the last of it has arrived. */
const control = createServer((socket) => {
  socket.on('data', async (line) => {
    const { endpoints, each, body } = JSON.parse(line.toString()) as { endpoints: number; each: number; body: string };
    await send(endpoints, each, body);
    socket.end('{}');
  });
});
await new Promise<void>((done) => control.listen(0, '127.0.0.1', done));
announce({ control: (control.address() as AddressInfo).port }, async () => {});
