import {
  AlertIcon,
  ArchiveIcon,
  Badge,
  BanIcon,
  CardIcon,
  CheckIcon,
  CircleIcon,
  ClockIcon,
  CloseIcon,
  HelpIcon,
  type Icon,
  LeftIcon,
  LockIcon,
  MinusIcon,
  type Option,
  PencilIcon,
  ProgressIcon,
  RightIcon,
  type Tone,
  UndoIcon,
  useAllWords,
  useWords,
} from '@turnout/ui';
import { useCallback, useMemo } from 'react';

interface Look {
  /** None: neither good nor bad, such as a draft. */
  tone?: Tone;
  icon: Icon;
}

/**
 * Every state that a badge shows, with its one tone and icon. The words are in the catalogue `states`, under `registration.confirmed`,
 * and those of scans in `results`, which the scanner shares.
 * Tones of a scan's answer are those of the door: a refusal is `bad` where the ticket does not admit, `warn` where somebody may come
 * back or the staff can solve it.
 */
const LOOKS = {
  registration: {
    confirmed: { tone: 'good', icon: CheckIcon },
    pending_approval: { tone: 'warn', icon: HelpIcon },
    pending_payment: { tone: 'warn', icon: CardIcon },
    waitlisted: { icon: ClockIcon },
    declined: { tone: 'bad', icon: CloseIcon },
    cancelled: { icon: BanIcon },
    expired: { icon: MinusIcon },
  },
  ticket: { valid: { tone: 'good', icon: CheckIcon }, voided: { tone: 'bad', icon: CloseIcon } },
  payment: {
    received: { tone: 'good', icon: CheckIcon },
    refunded: { icon: UndoIcon },
    failed: { tone: 'bad', icon: CloseIcon },
  },
  event: {
    draft: { icon: PencilIcon },
    published: { tone: 'good', icon: CheckIcon },
    closed: { icon: LockIcon },
    archived: { icon: ArchiveIcon },
    test: { tone: 'warn', icon: AlertIcon },
  },
  job: {
    queued: { icon: ClockIcon },
    running: { icon: ProgressIcon },
    succeeded: { tone: 'good', icon: CheckIcon },
    failed: { tone: 'bad', icon: CloseIcon },
    cancelled: { icon: BanIcon },
  },
  message: {
    draft: { icon: PencilIcon },
    scheduled: { icon: ClockIcon },
    sending: { icon: ProgressIcon },
    sent: { tone: 'good', icon: CheckIcon },
    cancelled: { icon: BanIcon },
  },
  recipient: {
    queued: { icon: ClockIcon },
    sent: { tone: 'good', icon: CheckIcon },
    failed: { tone: 'bad', icon: CloseIcon },
    skipped: { icon: MinusIcon },
  },
  attendance: { in: { tone: 'good', icon: CheckIcon }, out: { icon: CircleIcon } },
  result: {
    accepted: { tone: 'good', icon: CheckIcon },
    pre_checked: { tone: 'good', icon: CheckIcon },
    zone_entered: { tone: 'good', icon: RightIcon },
    exited: { tone: 'good', icon: LeftIcon },
    duplicate: { tone: 'warn', icon: AlertIcon },
    day_locked: { tone: 'warn', icon: AlertIcon },
    wrong_day: { tone: 'bad', icon: CloseIcon },
    zone_full: { tone: 'warn', icon: AlertIcon },
    rejected: { tone: 'bad', icon: CloseIcon },
    closed: { tone: 'warn', icon: LockIcon },
    not_yet_open: { tone: 'warn', icon: ClockIcon },
    voided: { tone: 'bad', icon: CloseIcon },
    unknown: { tone: 'bad', icon: CloseIcon },
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

/** The tone and the icon of a state, where it is shown otherwise than as a badge. */
export const stateLook = (kind: Kind, state: string): Look => {
  const looks: Readonly<Record<string, Look>> = LOOKS[kind];
  return (Object.hasOwn(looks, state) ? looks[state] : undefined) ?? { icon: CircleIcon };
};

/** A badge for a state, which looks the same everywhere: `<StateBadge kind="registration" value={registration.status} />`. */
export function StateBadge<K extends Kind>({ kind, value }: { kind: K; value: StateValue<K> }) {
  const textOf = useStateText();
  const { tone, icon } = stateLook(kind, value);
  return (
    <Badge icon={icon} {...(tone !== undefined && { tone })}>
      {textOf(kind, value)}
    </Badge>
  );
}

/** A state in words, for sentences and options: `textOf('registration', 'confirmed')`. */
export function useStateText(): <K extends Kind>(kind: K, value: StateValue<K>) => string {
  const words = useAllWords();
  return useCallback(
    (kind, value) => words.find(kind === 'result' ? 'results' : 'states', KEYS[kind](value)) ?? value,
    [words],
  );
}

/** Every state of a kind, for a filter: `{ value, label }`. */
export function useStateOptions(): <K extends Kind>(kind: K) => Option<StateName<K>>[] {
  const textOf = useStateText();
  return useCallback(
    (kind) =>
      (Object.keys(LOOKS[kind]) as StateName<typeof kind>[]).map((value) => ({ value, label: textOf(kind, value) })),
    [textOf],
  );
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
