import { Badge, type Option, type Tone, useAllWords, useWords } from '@turnout/ui';
import { useMemo } from 'react';

interface Look {
  /** None: neither good nor bad, such as a draft. */
  tone?: Tone;
  sign: string;
}

/**
 * Every state that a badge shows, with its one tone and sign. The words are in the catalogue `states`, under `registration.confirmed`,
 * and those of scans in `results`, which the scanner shares.
 * Tones of a scan's answer are those of the door: a refusal is `bad` where the ticket does not admit, `warn` where somebody may come
 * back or the staff can solve it.
 */
const LOOKS = {
  registration: {
    confirmed: { tone: 'good', sign: '✓' },
    pending_approval: { tone: 'warn', sign: '?' },
    pending_payment: { tone: 'warn', sign: '!' },
    waitlisted: { tone: 'accent', sign: '…' },
    declined: { tone: 'bad', sign: '✕' },
    cancelled: { sign: '✕' },
    expired: { sign: '–' },
  },
  ticket: { valid: { tone: 'good', sign: '✓' }, voided: { tone: 'bad', sign: '✕' } },
  payment: {
    received: { tone: 'good', sign: '✓' },
    refunded: { sign: '↩' },
    failed: { tone: 'bad', sign: '✕' },
  },
  event: {
    draft: { sign: '○' },
    published: { tone: 'good', sign: '✓' },
    closed: { tone: 'accent', sign: '●' },
    archived: { sign: '–' },
    test: { tone: 'warn', sign: '!' },
  },
  job: {
    queued: { sign: '…' },
    running: { tone: 'accent', sign: '●' },
    succeeded: { tone: 'good', sign: '✓' },
    failed: { tone: 'bad', sign: '✕' },
    cancelled: { sign: '–' },
  },
  message: {
    draft: { sign: '○' },
    scheduled: { tone: 'accent', sign: '…' },
    sending: { tone: 'accent', sign: '●' },
    sent: { tone: 'good', sign: '✓' },
    cancelled: { sign: '–' },
  },
  recipient: {
    queued: { sign: '…' },
    sent: { tone: 'good', sign: '✓' },
    failed: { tone: 'bad', sign: '✕' },
    skipped: { sign: '–' },
  },
  attendance: { in: { tone: 'good', sign: '✓' }, out: { sign: '○' } },
  result: {
    accepted: { tone: 'good', sign: '✓' },
    pre_checked: { tone: 'good', sign: '✓' },
    zone_entered: { tone: 'good', sign: '→' },
    exited: { tone: 'good', sign: '←' },
    duplicate: { tone: 'warn', sign: '!' },
    day_locked: { tone: 'warn', sign: '!' },
    wrong_day: { tone: 'bad', sign: '✕' },
    zone_full: { tone: 'warn', sign: '!' },
    rejected: { tone: 'bad', sign: '✕' },
    closed: { tone: 'warn', sign: '!' },
    not_yet_open: { tone: 'warn', sign: '!' },
    voided: { tone: 'bad', sign: '✕' },
    unknown: { tone: 'bad', sign: '✕' },
  },
} as const satisfies Record<string, Record<string, Look>>;

/** Where the words of each kind stand in their catalogue. */
const KEYS: Readonly<Record<keyof typeof LOOKS, (state: string) => string>> = {
  registration: (state) => `registration.${state}`,
  ticket: (state) => `ticket.${state}`,
  payment: (state) => `payment.${state}`,
  event: (state) => `event.${state}`,
  job: (state) => `job.${state}`,
  message: (state) => `message.${state}`,
  recipient: (state) => `recipient.${state}`,
  attendance: (state) => `attendance.${state}`,
  result: (state) => `result.${state}`,
};

type Looks = typeof LOOKS;
export type Kind = keyof Looks;
export type StateName<K extends Kind> = Extract<keyof Looks[K], string>;
// A newer server may answer with a result that this version of the app does not know.
type StateValue<K extends Kind> = StateName<K> | (string & {});

/** The tone and the sign of a state, where it is shown otherwise than as a badge. */
export const stateLook = (kind: Kind, state: string): Look => {
  const looks: Readonly<Record<string, Look>> = LOOKS[kind];
  return (Object.hasOwn(looks, state) ? looks[state] : undefined) ?? { sign: '○' };
};

/** A badge for a state, which looks the same everywhere: `<StateBadge kind="registration" value={registration.status} />`. */
export function StateBadge<K extends Kind>({ kind, value }: { kind: K; value: StateValue<K> }) {
  const textOf = useStateText();
  const { tone, sign } = stateLook(kind, value);
  return (
    <Badge sign={sign} {...(tone !== undefined && { tone })}>
      {textOf(kind, value)}
    </Badge>
  );
}

/** A state in words, for sentences and options: `textOf('registration', 'confirmed')`. */
export function useStateText(): <K extends Kind>(kind: K, value: StateValue<K>) => string {
  const words = useAllWords();
  return (kind, value) => words.find(kind === 'result' ? 'results' : 'states', KEYS[kind](value)) ?? value;
}

/** Every state of a kind, for a filter: `{ value, label }`. */
export function useStateOptions(): <K extends Kind>(kind: K) => Option<StateName<K>>[] {
  const textOf = useStateText();
  return (kind) =>
    (Object.keys(LOOKS[kind]) as StateName<typeof kind>[]).map((value) => ({ value, label: textOf(kind, value) }));
}

/** Why a scan was refused, in words: `limit` → “Already admitted”. */
export function useReasonText(): (reason: string) => string {
  const words = useAllWords();
  return (reason) => words.find('results', `reason.${reason}`) ?? reason;
}

/** What else has a name of the server: ways to pay, sources of registrations, why a message was not sent. */
export function useNameText() {
  const t = useWords('states');
  return useMemo(
    () => ({
      method: (method: 'cash' | 'transfer' | 'card' | 'online' | 'other') => t(`method.${method}`),
      source: (source: 'form' | 'api' | 'import' | 'platform') => t(`source.${source}`),
      skipped: (reason: 'no_address' | 'unsubscribed' | 'erased' | 'test' | 'repeated' | 'cancelled') =>
        t(`skipped.${reason}`),
    }),
    [t],
  );
}
