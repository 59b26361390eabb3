import { encode } from './encode.ts';
import { type Order, type Outcome, READY } from './order.ts';

/** The process that reads one picture (pictures.ts). It also ends when the server has died, which hangs up. */
process.once('message', async ({ source, kind }: Order) => {
  const outcome: Outcome = await encode(Buffer.from(source.buffer, source.byteOffset, source.byteLength), kind);
  process.send!(outcome);
});
process.on('disconnect', () => process.exit());
process.send!(READY);
