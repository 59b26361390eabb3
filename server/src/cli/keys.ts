import { createKey, type KeyFields, keyFaults, mailOwnersOfKey } from '../areas/access/index.ts';
import type { Id } from '../common/ids.ts';
import { refuse } from '../common/refusal.ts';
import type { Tx } from '../store/tx.ts';
import { many, type OptionValues, text } from './command.ts';

/** The option of the command line for each field of a key that has another name there. */
const OPTIONS: Readonly<Record<string, string>> = {
  expires_at: 'expires',
  allowed_addresses: 'allow',
  requests_per_minute: 'rpm',
};

/** Makes a key as members do, by the same rules. */
export async function makeKey(tx: Tx, org: { id: Id; name: string }, given: OptionValues) {
  const rpm = text(given.rpm);
  const fields: KeyFields = {
    name: text(given.name)!,
    mode: text(given.mode)!,
    scopes: many(given.scopes),
    group: text(given.group),
    expires: text(given.expires),
    allow: given.allow === undefined ? undefined : many(given.allow),
    rpm: rpm === undefined ? undefined : Number(rpm),
  };
  const faults = keyFaults(fields, tx.clock.now()).map(({ path, message }) => {
    const field = path.split('/')[0]!;
    return `--${OPTIONS[field] ?? field} ${message}`;
  });
  if (faults.length > 0) refuse('validation_failed', { message: `${faults.join('. ')}.` });
  const key = await createKey(tx, org.id, fields);
  await mailOwnersOfKey(tx, org, key);
  return key;
}
