/** Every screen of the scanner in every state that differs to the eye. */
import type { ScanAnswer, ToHandOut } from '../engine/types.ts';
import { decideAbout, expected, hold, missed, sheet, showAgain, tell, type Verdict } from '../parts/door.ts';
import { lookUp } from '../parts/handing-out.ts';
import { go, pairingCode, updateReady } from '../parts/session.ts';
import { change } from '../parts/settings.ts';
import { type GalleryState, NOW, person, scanAnswer } from './double.ts';

export interface State extends GalleryState {
  /** What is done once the event is open. */
  readonly act?: () => void | Promise<void>;
}

const refusal = (
  result: string,
  reason: string,
  tone: ScanAnswer['tone'] = 'danger',
  more: Partial<ScanAnswer> = {},
): ScanAnswer => scanAnswer(result, { reason, tone, people: [person({ result, reason, admitted: false })], ...more });
const before = { at: Date.parse('2026-11-14T09:12:00Z'), point: 'Garden gate' };

const SHIRT: ToHandOut = {
  ...{ attendee: 'ada', registration: null, product: 'shirt', option: 'm', name: 'T-shirt', optionName: 'Medium' },
  ...{ left: 1, given: [] },
};

const ANSWERS: Readonly<Record<string, ScanAnswer>> = {
  accepted: scanAnswer('accepted'),
  'accepted, long names': scanAnswer('accepted', {
    people: [
      person({
        first_name: 'Wolfeschlegelsteinhausen',
        last_name: 'Bergerdorff-Featherstonehaugh de la Vega',
        attendee_type: 'Member of the association, reduced, with a companion',
        days: ['Thursday', 'Friday', 'Saturday', 'Sunday'],
      }),
    ],
  }),
  pre_checked: scanAnswer('pre_checked', { point_kind: 'pre_check' }),
  zone_entered: scanAnswer('zone_entered', { point_kind: 'zone' }),
  exited: scanAnswer('exited', { point_kind: 'exit' }),
  duplicate: refusal('duplicate', 'limit', 'warning', {
    people: [person({ result: 'duplicate', reason: 'limit', admitted: false, first: before })],
  }),
  'duplicate of another day': refusal('duplicate', 'limit', 'warning', {
    people: [
      person({ result: 'duplicate', reason: 'limit', admitted: false, first: { ...before, at: NOW - 86_400_000 } }),
    ],
  }),
  cooldown: refusal('duplicate', 'cooldown', 'warning'),
  day_locked: refusal('day_locked', 'locked', 'warning'),
  wrong_day: refusal('wrong_day', 'day_not_on_ticket'),
  zone_full: refusal('zone_full', 'capacity', 'warning'),
  rejected: refusal('rejected', 'type_not_admitted'),
  closed: refusal('closed', 'after_closing', 'warning'),
  not_yet_open: refusal('not_yet_open', 'before_opening', 'warning'),
  voided: refusal('voided', 'ticket_voided'),
  unknown: scanAnswer('unknown', {
    code: 'HTTPS://EXAM…',
    reason: 'code_unknown',
    people: [],
    ticket_id: null,
    checkins: [],
  }),
  nobody: scanAnswer('unknown', { by: 'nobody', tone: 'warning', people: [], ticket_id: null, checkins: [] }),
  'result of the future': refusal('quarantined', 'sneezed'),
  mixed: scanAnswer('accepted', {
    tone: 'mixed',
    people: [
      person(),
      person({ id: 'bo', first_name: 'Bo', last_name: 'Byron', group: null, days: ['Saturday'] }),
      person({
        id: 'cy',
        first_name: 'Cy',
        last_name: 'Babbage',
        result: 'duplicate',
        reason: 'limit',
        admitted: false,
        first: before,
      }),
    ],
    checkins: ['ada', 'bo', 'cy'].map((id) => ({ id: `c-${id}`, attendee_id: id, admitted: id !== 'cy' })),
  }),
  'several admitted': scanAnswer('accepted', {
    people: [person(), person({ id: 'bo', first_name: 'Bo', last_name: 'Byron', group: null, days: ['Saturday'] })],
  }),
};

/** An answer that stays, although a success goes away after 0.8 seconds. */
const stay = (one: ScanAnswer) => () => {
  tell(one);
  showAgain(one);
};
const answers = Object.fromEntries(
  Object.entries(ANSWERS).map(([name, one]) => [`answer ${name}`, { act: stay(one) }]),
);

const WHO = {
  ask: 'people',
  target: { code: 'family' },
  registration: null,
  people: ['Ada', 'Bo', 'Cy'].map((first_name) => ({
    ...{ id: first_name, first_name, last_name: 'Lovelace', attendee_type: first_name === 'Cy' ? 'Child' : 'Adult' },
    group: first_name === 'Ada' ? 'North' : null,
    answers: first_name === 'Ada' ? [{ label: 'Company', answer: 'Analytical Engines' }] : [],
    inside: first_name === 'Bo' ? { at: NOW - 3_600_000, point: 'Main gate' } : null,
  })),
} as const;
const LAST = Object.values(ANSWERS).map((one, i) => ({
  told: { ...one, client_uuid: `${i}`, scanned_at: NOW - i * 60_000 },
  sent: i > 1,
}));
const open = (what: 'code' | 'search' | 'walk-in') => () => {
  sheet.value = what;
};
const decide =
  (one: ScanAnswer, verdict: Verdict = 'override') =>
  () => {
    stay(one)();
    decideAbout(one, verdict);
  };
const kiosk = (one?: ScanAnswer) => () => {
  change({ kiosk: 'device-1' });
  // Answers of a kiosk go away by themselves.
  if (one !== undefined) setTimeout(() => showAgain(one), 100);
};
const stoppedBy = (status: GalleryState['status']): State => ({ status: { queue: 37, ...status } });

export const STATES: Readonly<Record<string, State>> = {
  scan: {},
  'scan offline': { status: { connection: 'offline', queue: 128, rosterAt: Date.now() - 1_200_000 } },
  'scan loading': { status: { loading: { done: 4200, total: 12_480 }, tickets: null, rosterAt: null } },
  'scan without a roster': { status: { tickets: null, rosterAt: null, connection: 'offline' } },
  'scan narrowed': { status: { narrowed: true, tickets: 312 } },
  'scan in a zone': { point: 'stage' },
  'scan with every notice': {
    status: { storage: 'full', notRecorded: 2, clockOff: 7_200_000 },
    disagreements: [
      { client_uuid: 'x', told: 'accepted', recorded: 'duplicate', scanned_at: NOW, names: ['Ada Lovelace'] },
    ],
    act: () => {
      updateReady.value = true;
    },
  },
  'scan in test mode': { act: () => change({ testing: ['device-1'] }) },
  'scan after an answer': {
    act: () => {
      tell(ANSWERS.accepted!);
    },
  },
  'scan left-handed': { act: () => change({ hand: 'left' }) },
  ...answers,
  'answer without storage': { act: () => hold({ code: 'nothing' }) },
  'answer in test mode': {
    act: () => {
      change({ testing: ['device-1'] });
      stay({ ...ANSWERS.accepted!, test: true })();
    },
  },
  'who is here': { scans: { family: WHO }, act: () => hold({ code: 'family' }) },
  'who is here, another was held up': {
    scans: { family: WHO },
    act: async () => {
      await hold({ code: 'family' });
      missed.value = true;
    },
  },
  'who is here, found by name': {
    scans: { family: WHO },
    act: async () => {
      await hold({ code: 'family' }, { person: 'Bo' });
      expected.value = 'Bo';
    },
  },
  'type a code': { act: open('code') },
  search: { act: open('search') },
  'walk-in': { act: open('walk-in') },
  'walk-in of a member': { org: 'lakeside', act: open('walk-in') },
  override: { act: decide(ANSWERS.duplicate!) },
  'override of one of several': { act: decide(ANSWERS.mixed!) },
  'override without members': {
    members: [],
    act: decide(ANSWERS.duplicate!),
  },
  'override offline': {
    status: { connection: 'offline' },
    act: decide({ ...ANSWERS.duplicate!, by: 'device', checkins: [] }),
  },
  undo: { act: decide(ANSWERS.accepted!, 'undo') },
  'undo of one of several': { act: decide(ANSWERS.mixed!, 'undo') },
  points: { point: null },
  'points without an event': { point: null, manifest: null, status: { connection: 'offline' } },
  pair: { paired: [] },
  'pair another': {
    act: () => {
      pairingCode.value = 'K7QM-2XZP-9RTD';
      go('pair');
    },
  },
  events: { act: () => go('events') },
  settings: { act: () => go('settings') },
  'settings of a member': { org: 'lakeside', act: () => go('settings') },
  'undo of a member': { org: 'lakeside', act: decide(ANSWERS.accepted!, 'undo') },
  'settings offline': {
    status: { connection: 'offline', queue: 12, persistent: false, notRecorded: 3 },
    act: () => go('settings'),
  },
  statistics: { act: () => go('statistics') },
  'statistics, nobody yet': {
    attendance: { types: [], minutes: Array(60).fill(0) },
    act: () => go('statistics'),
  },
  attendance: { act: () => go('attendance') },
  'attendance, nobody yet': {
    attendance: { types: [], minutes: Array(60).fill(0) },
    act: () => go('attendance'),
  },
  'to hand out': {
    toHandOut: [
      { ...SHIRT, left: 2, given: [{ client_uuid: 'a', sent: true }] },
      {
        ...SHIRT,
        product: 'table',
        option: null,
        name: 'Table',
        optionName: null,
        attendee: null,
        registration: '7Q2MXK4P0V',
      },
      {
        ...SHIRT,
        product: 'lunch',
        option: null,
        name: 'Lunch',
        optionName: null,
        left: 0,
        given: [{ client_uuid: 'b', sent: false }],
      },
    ],
    act: async () => {
      await lookUp([{ ticket: 'ticket', person: 'ada' }]);
      tell(ANSWERS.accepted!);
    },
  },
  last: { last: LAST, act: () => go('last') },
  'last, none': { act: () => go('last') },
  'not recorded': {
    status: { queue: 4 },
    notRecorded: [
      {
        client_uuid: 'a',
        scanned_at: NOW,
        point: 'gate',
        told: 'accepted',
        code: 'client_uuid_reused',
        message: 'The server’s message.',
      },
      {
        client_uuid: 'b',
        scanned_at: NOW,
        point: 'gone',
        told: null,
        code: 'something_new',
        message: 'The server’s own message.',
      },
    ],
    act: () => go('not-recorded'),
  },
  disagreements: {
    disagreements: [
      { client_uuid: 'x', told: 'accepted', recorded: 'duplicate', scanned_at: NOW, names: ['Ada Lovelace'] },
      { client_uuid: 'y', told: 'accepted', recorded: 'unknown', scanned_at: NOW, names: [] },
    ],
    act: () => go('disagreements'),
  },
  'stopped: refused': stoppedBy({ connection: 'refused', refusal: 'device_revoked' }),
  'stopped: archived': stoppedBy({ connection: 'refused', refusal: 'event_archived' }),
  'stopped: too old': stoppedBy({ connection: 'too_old', queue: 0 }),
  'stopped: wiped': stoppedBy({ storage: 'wiped' }),
  'stopped: missing': stoppedBy({ storage: 'missing' }),
  'stopped: elsewhere': stoppedBy({ elsewhere: true }),
  'start: other tab': { fault: 'other_tab' },
  'start: wiped': { storage: 'wiped' },
  'start: missing': { storage: 'missing' },
  'start: insecure': { fault: 'insecure' },
  'start: failed': { fault: 'nonsense' },
  kiosk: { act: kiosk() },
  'kiosk admitted': { act: kiosk(ANSWERS.accepted) },
  'kiosk refused': { act: kiosk(ANSWERS.duplicate) },
  'kiosk closed': { status: { connection: 'refused' }, act: kiosk() },
  'kiosk in test mode': {
    act: () => {
      change({ testing: ['device-1'] });
      kiosk()();
    },
  },
};
