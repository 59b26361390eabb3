import type { Communication } from '@turnout/client';
import { differing } from '../../../parts/changes.ts';
import { type AudienceValues, audienceInput, audienceValues } from './audience-values.ts';

export interface MessageValues {
  subject: string;
  text: string;
  kind: Communication['kind'];
  audience: AudienceValues;
}

export const messageValues = (one: Communication | null): MessageValues => ({
  ...{ subject: one?.subject ?? '', text: one?.text ?? '', kind: one?.kind ?? 'service' },
  audience: audienceValues(one?.audience),
});

export const messageInput = <V extends Partial<MessageValues>>({ audience, ...more }: V) => ({
  ...more,
  ...(audience !== undefined && { audience: audienceInput(audience) }),
});

/** Of `from`, the fields that are named. */
export const only = (from: MessageValues, names: readonly (keyof MessageValues)[]): Partial<MessageValues> =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

/**
 * What the editor goes on with after a save. `before`: what was known of the server. `sent`: what the fields said when the save began.
 * `typed`: what they say now. `now`: what the server has saved.
 *
 * What only somebody else changed is taken over, unless it was typed over while the save was under way: then it stays unknown, so that
 * the next save asks.
 */
export function afterSave(
  before: MessageValues,
  sent: MessageValues,
  changed: readonly (keyof MessageValues)[],
  typed: MessageValues,
  now: MessageValues,
): { values: MessageValues; savedValues: MessageValues; known: MessageValues } {
  const others = differing(before, now).filter((name) => !changed.includes(name));
  const typedOver = differing(sent, typed);
  const taken = only(
    now,
    others.filter((name) => !typedOver.includes(name)),
  );
  const unknown = only(
    before,
    others.filter((name) => typedOver.includes(name)),
  );
  return { values: { ...typed, ...taken }, savedValues: { ...sent, ...taken }, known: { ...now, ...unknown } };
}
