/** An engine that knows no server and no disk: it answers as it is told to. For looking at the screens only. */
import type {
  AttendanceCounts,
  Disagreement,
  Engine,
  LastScan,
  Manifest,
  NotRecorded,
  PairedEvent,
  PeopleQuestion,
  PersonAnswer,
  ScanAnswer,
  SearchResult,
  Status,
  ToHandOut,
} from '../engine/types.ts';
import type { Host } from '../parts/host.ts';

export const NOW = Date.parse('2026-11-14T09:31:00Z');

export const PAIRED: PairedEvent = {
  id: 'device-1',
  name: 'Gate 1',
  org: null,
  event: { id: 'fair', name: 'Lakeside Summer Fair 2026', timezone: 'UTC' },
  point: 'gate',
};
const OTHER: PairedEvent = {
  ...PAIRED,
  id: 'device-2',
  name: 'Hall B',
  event: { ...PAIRED.event, name: 'Night of Science' },
};

const point = (code: string, name: string, kind: string, policy: object = {}) => ({
  ...{ code, name, kind },
  policy: {
    ...{ attendee_types: null, groups: null, days: null, opens_minutes_before: 30, closes_minutes_after: 0 },
    ...{ limit: 'once_per_day', cooldown_seconds: 0, requires: null, capacity: null, leaves: null },
    ...policy,
  },
});
const day = (date: string, name: string) => ({
  ...{ code: date, name, date },
  ...{ opens_at: `${date}T08:00:00Z`, closes_at: `${date}T20:00:00Z` },
});
const MANIFEST = {
  event: {
    ...{ status: 'published', public_url: 'https://tickets.example.org/o/lakeside/summer-fair-2026' },
    name: PAIRED.event.name,
    test: false,
    timezone: 'UTC',
    door: { name_search: true, kiosk: true },
  },
  check_in_points: [
    point('gate', 'Main gate', 'entry'),
    point('garden', 'Garden gate, behind the old boathouse', 'entry', {
      attendee_types: ['crew', 'child'],
      limit: 'once_until_exit',
    }),
    point('stage', 'Stage', 'zone', { capacity: 250, limit: 'unlimited', requires: 'entry' }),
    point('exit', 'Exit', 'exit', { limit: 'unlimited' }),
  ],
  days: [day('2026-11-14', '2026-11-14'), day('2026-11-15', 'Sunday')],
  attendee_types: [
    { code: 'adult', name: 'Adult, two days' },
    { code: 'child', name: 'Child' },
    { code: 'crew', name: 'Crew' },
  ],
  groups: [],
  questions: [],
} as unknown as Manifest;

const STATUS: Status = {
  connection: 'online',
  refusal: null,
  queue: 0,
  notRecorded: 0,
  tickets: 12_480,
  rosterAt: Date.now() - 20_000,
  loading: null,
  narrowed: false,
  storage: 'ok',
  persistent: true,
  clockOff: 0,
  elsewhere: false,
};

export const person = (more: Partial<PersonAnswer> = {}): PersonAnswer => ({
  id: 'ada',
  first_name: 'Ada',
  last_name: 'Lovelace',
  attendee_type: 'Adult, two days',
  group: 'North',
  days: ['2026-11-14', 'Sunday'],
  answers: [{ label: 'Company', answer: 'Analytical Engines' }],
  result: 'accepted',
  reason: null,
  admitted: true,
  first: null,
  ...more,
});

export function scanAnswer(result: string, more: Partial<ScanAnswer> = {}): ScanAnswer {
  const admitted = ['accepted', 'pre_checked', 'zone_entered', 'exited'].includes(result);
  const reason = more.reason ?? null;
  const base: ScanAnswer = {
    client_uuid: `scan-${result}`,
    by: 'server',
    ...{ result, reason, admitted },
    tone: admitted ? 'success' : 'danger',
    people: [person({ result, reason, admitted })],
    ticket_id: 'ticket',
    point: 'gate',
    point_kind: 'entry',
    test: false,
    scanned_at: NOW,
    checkins: [{ id: 'checkin', attendee_id: 'ada', admitted }],
  };
  return { ...base, ...more };
}

/** What one state of the gallery is made of. */
export interface GalleryState {
  readonly status?: Partial<Status>;
  readonly manifest?: Manifest | null;
  readonly point?: string | null;
  /** A member scans in their own session. */
  readonly org?: string;
  readonly paired?: readonly PairedEvent[];
  readonly scans?: Readonly<Record<string, ScanAnswer | PeopleQuestion>>;
  readonly attendance?: AttendanceCounts;
  readonly last?: readonly LastScan[];
  readonly notRecorded?: readonly NotRecorded[];
  readonly disagreements?: readonly Disagreement[];
  readonly members?: readonly { id: string; name: string }[];
  readonly toHandOut?: readonly ToHandOut[];
  readonly storage?: 'ok' | 'wiped' | 'missing';
  /** The engine's name for why it cannot be opened. */
  readonly fault?: string;
}

const FOUND: readonly SearchResult[] = ['Lovelace', 'Lovelock', 'Loving'].map((last_name, i) => ({
  ...{ key: `k${i}`, ticket_id: `t${i}`, person: `p${i}`, first_name: 'Ada', last_name },
  ...{ attendee_type: 'Adult', group: i === 0 ? 'North' : null },
  ...{
    status: i === 1 ? 'voided' : 'valid',
    confirmed: true,
    registration: `7Q2MXK4P0${i}`,
    days: i === 1 ? ['Saturday'] : [],
  },
  answers: i === 0 ? [{ label: 'Company', answer: 'Analytical Engines' }] : [],
  inside: i === 2 ? { at: NOW - 3_600_000, point: 'Main gate' } : null,
}));

const ATTENDANCE: AttendanceCounts = {
  types: [
    { attendee_type: 'adult', inside: 3120, left: 84, awaited: 4380 },
    { attendee_type: 'child', inside: 640, left: 12, awaited: 1125 },
    { attendee_type: 'crew', inside: 64, left: 0, awaited: 0 },
  ],
  minutes: Array.from({ length: 60 }, (_, i) => Math.round(20 + 18 * Math.sin(i / 6) + (i % 5))),
};
const LAST_NAMES = [
  'Abel',
  'Babbage',
  'Byron',
  'Featherstonehaugh-Bergerdorff de la Vega',
  'Hopper',
  'Lovelace',
  'Noether',
];
const listed = (at: number): SearchResult => ({
  ...{ key: `k${at}`, ticket_id: `t${at}`, person: `p${at}`, status: 'valid', confirmed: true, registration: null },
  ...{ first_name: at % 2 ? 'Ada' : 'Grace', last_name: LAST_NAMES[Math.floor(at / 600) % LAST_NAMES.length]! },
  ...{ attendee_type: 'Adult, two days', group: at % 3 ? null : 'North', days: [], answers: [] },
  inside: { at: NOW - at * 1000, point: 'Main gate' },
});

export function hostOf(state: GalleryState): Host {
  const engine: Engine = {
    paired: { ...PAIRED, org: state.org ?? null, point: state.point === undefined ? PAIRED.point : state.point },
    manifest: () => (state.manifest === undefined ? MANIFEST : state.manifest),
    status: () => ({ ...STATUS, ...state.status }),
    listen: () => () => {},
    onDisagreement: () => () => {},
    scan: async (held) => {
      const answer = state.scans?.['code' in held ? held.code : held.key];
      if (answer !== undefined) return answer;
      throw Object.assign(new Error('The scan cannot be kept.'), { fault: 'storage' });
    },
    search: async (text) => {
      const people = FOUND.filter((one) => one.last_name.toLowerCase().startsWith(text.toLowerCase()));
      return { people, count: people.length };
    },
    attendance: async () => state.attendance ?? ATTENDANCE,
    attendanceList: async ({ where, from, count }) => {
      const all = (state.attendance ?? ATTENDANCE).types.reduce((sum, one) => sum + one[where], 0);
      const people = Array.from({ length: Math.min(count, all - from) }, (_, i) => listed(from + i));
      return { people: people.map((one) => (where === 'awaited' ? { ...one, inside: null } : one)), count: all };
    },
    lastScans: async () => state.last ?? [],
    counts: async () => ({ point: 1284, event: 3920, inside: null }),
    notRecorded: async () => state.notRecorded ?? [],
    disagreements: async () => state.disagreements ?? [],
    disagreementSeen: async () => {},
    testMode: async () => {},
    handOver: async () => new Blob(['{}']),
    choosePoint: async () => {},
    members: async () => state.members ?? [{ id: 'grace', name: 'Grace Hopper' }],
    unlock: async () => {
      throw Object.assign(new Error('The PIN is wrong.'), { fault: 'refused', code: 'pin_wrong' });
    },
    override: async (checkin) => checkin,
    undo: async (checkin) => checkin,
    toHandOut: async () => state.toHandOut ?? [],
    handOut: async () => {},
    undoHandOut: async () => {},
    close: () => {},
  };
  return {
    paired: async () => state.paired ?? [PAIRED, OTHER],
    pair: async () => {
      throw Object.assign(new Error('No such code.'), { fault: 'refused', code: 'not_found' });
    },
    join: async () => PAIRED,
    open: async () => {
      if (state.fault !== undefined) throw Object.assign(new Error(state.fault), { fault: state.fault });
      return engine;
    },
    leave: async () => {},
    storage: async () => state.storage ?? 'ok',
    wipeSeen: () => {},
    update: async () => false,
    applyUpdate: async () => false,
  };
}
