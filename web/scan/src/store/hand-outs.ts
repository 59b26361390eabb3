import { below, type Db, result } from './db.ts';
import { isKnownFormat } from './rows.ts';

/** A unit that was handed out here and that the server has not answered, or whose undoing it has not answered. */
export interface HandOutRow {
  readonly device: string;
  readonly client_uuid: string;
  readonly at: number;
  readonly point: string;
  /** One of the two has booked it: the id of the attendee, or the code of the registration. */
  readonly attendee?: string;
  readonly registration?: string;
  readonly product: string;
  readonly option: string | null;
  /** Whether somebody was given it without the server's word. */
  readonly offline: boolean;
  /** It was sent at least once, so the server may have recorded it. */
  readonly sent: boolean;
  /** Why it was taken back, if it was while the server may have recorded it. */
  readonly undone?: string;
}

const isText = (one: unknown): one is string => typeof one === 'string';

/** A row of another shape, as another version or a broken disk may leave it, is passed over. */
export function isHandOut(row: unknown): row is HandOutRow {
  const one = (row ?? {}) as Partial<Record<keyof HandOutRow, unknown>>;
  return (
    isKnownFormat(row) &&
    [one.device, one.client_uuid, one.point, one.product, one.attendee ?? one.registration].every(isText) &&
    (one.option === null || isText(one.option)) &&
    isText(one.undone ?? '') &&
    typeof one.at === 'number' &&
    Number.isFinite(new Date(one.at).getTime()) &&
    typeof one.offline === 'boolean' &&
    typeof one.sent === 'boolean'
  );
}

export const readHandOuts = (db: Db, device: string): Promise<HandOutRow[]> =>
  db.run('hand_outs', 'readonly', async (store) =>
    (await result<unknown[]>(store('hand_outs').getAll(below(device)))).filter(isHandOut).sort((a, b) => a.at - b.at),
  );

export const putHandOut = (db: Db, row: HandOutRow): Promise<unknown> =>
  db.run('hand_outs', 'readwrite', (store) => result(store('hand_outs').put(row)));

export const deleteHandOut = (db: Db, { device, client_uuid }: HandOutRow): Promise<unknown> =>
  db.run('hand_outs', 'readwrite', (store) => result(store('hand_outs').delete([device, client_uuid])));
