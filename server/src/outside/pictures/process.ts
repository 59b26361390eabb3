import { writeFileSync } from 'node:fs';
import { encode } from './encode.ts';
import { type Order, type Outcome, READY } from './order.ts';

/** The process that reads one picture (pictures.ts). It also ends when the server has died, which hangs up. */
process.once('message', async ({ source, kind }: Order) => {
  const outcome: Outcome = await encode(Buffer.from(source.buffer, source.byteOffset, source.byteLength), kind);
  process.send!(outcome);
});
process.on('disconnect', () => process.exit());
try {
  // When memory runs out, Linux ends this process first, not the server.
  writeFileSync('/proc/self/oom_score_adj', '1000');
} catch {
  // Another system decides by itself.
}
process.send!(READY);
