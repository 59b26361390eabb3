import { toUlid } from '../../common/ids.ts';
import { MIN_SCANNER_VERSION, type OldestScanner, PRODUCTS_SCANNER_VERSION } from '../../road/gate/scanners.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { doorEvent } from './references.ts';
import type { ScanWorld } from './world.ts';

/** The oldest scanner software that knows all rules of an event. */
export const minScannerVersion = ({ askedProducts }: Pick<ScanWorld, 'askedProducts'>): string =>
  askedProducts.size > 0 ? PRODUCTS_SCANNER_VERSION : MIN_SCANNER_VERSION;

/** The same for the event that a call is about: that of a paired device, or the one in the path. The caller has to reach it. */
export const oldestScanner: OldestScanner = ({ pool, clock }, caller, inPath) => {
  const { actor, mode } = caller;
  const org = caller.org.id;
  const ref = actor.kind === 'device' ? toUlid(actor.event) : inPath;
  if (ref === undefined) return Promise.resolve(MIN_SCANNER_VERSION);
  return transaction(
    pool,
    clock,
    { role: 'app', org },
    async (tx) => {
      const event = await doorEvent.find({ tx, org, caller, mode }, ref, {});
      if (event === null) return MIN_SCANNER_VERSION;
      const asking = await tx.maybe(sql`
        select from check_in_points where org_id = ${org} and event_id = ${event.id} and product_ids is not null limit 1`);
      return asking === null ? MIN_SCANNER_VERSION : PRODUCTS_SCANNER_VERSION;
    },
    { readOnly: true },
  );
};
