import { batch, computed, signal } from '@preact/signals';
import { type CheckInPoint, prepareWorld } from '@turnout/checkin';
import type { Disagreement, Engine, Manifest, PairedEvent, Status, Whereabouts } from '../engine/types.ts';
import type { Host } from './host.ts';
import type { AskedEvent } from './pairing-code.ts';
import { change, settings } from './settings.ts';

/** The screens below the one with the camera, each of which the button "back" of the phone leaves. */
export type Place =
  | 'pair'
  | 'events'
  | 'points'
  | 'settings'
  | 'statistics'
  | 'attendance'
  | 'last'
  | 'not-recorded'
  | 'disagreements';

/** Why nothing can be scanned at all on this page. */
export type Obstacle = 'starting' | 'insecure' | 'other_tab' | 'wiped' | 'missing' | 'failed' | null;

let host: Host;
export const theHost = (): Host => host;

export const obstacle = signal<Obstacle>('starting');
export const paired = signal<readonly PairedEvent[]>([]);
export const engine = signal<Engine | null>(null);
export const status = signal<Status | null>(null);
export const manifest = signal<Manifest | null>(null);
export const point = signal<string | null>(null);
export const place = signal<Place | null>(null);
/** An event that the organizer's app has asked for, to be opened in the session of its member. */
export const asked = signal<AskedEvent | null>(null);
/** The organization that a member has signed out of. */
export const signedOut = signal<string | null>(null);
/** A code for pairing that came with the address or from the camera. */
export const pairingCode = signal<string>('');
export const disagreements = signal<readonly Disagreement[]>([]);
/** Grows with everything that the engine tells, for lists that are read anew then. */
export const news = signal(0);
export const updateReady = signal(false);
/** Which people the attendance list shows. */
export const listed = signal<Whereabouts>('inside');

export const eventId = computed(() => engine.value?.paired.id ?? null);
/** In a test event everything is a test. */
export const testing = computed(
  () => manifest.value?.event.test === true || settings.value.testing.includes(eventId.value ?? ''),
);
export const inKiosk = computed(() => eventId.value !== null && settings.value.kiosk === eventId.value);
export const thePoint = computed(
  () => manifest.value?.check_in_points.find(({ code }) => code === point.value) ?? null,
);
export const timezone = computed(() => engine.value?.paired.event.timezone);

/** The event as the decision takes it, to say when a point opens. */
export const doorWorld = computed(() =>
  manifest.value === null
    ? null
    : prepareWorld({
        ...manifest.value,
        timezone: manifest.value.event.timezone,
        check_in_points: manifest.value.check_in_points as readonly CheckInPoint[],
      }),
);

/** Why nothing can be scanned here and now, although an event is open. */
export const stopped = computed(() => {
  const now = status.value;
  if (now === null) return null;
  if (now.elsewhere) return 'elsewhere';
  if (now.storage === 'missing') return 'missing';
  if (now.storage === 'wiped') return 'wiped';
  if (now.connection === 'too_old') return 'too_old';
  if (now.connection === 'refused') return now.refusal === 'event_archived' ? 'archived' : 'refused';
  return null;
});

/** Going back takes the browser a moment. What is opened meanwhile gets its entry in the history when that is over. */
let returning = false;

export function go(to: Place): void {
  if (place.value === to) return;
  if (returning) {
    place.value = to;
    return;
  }
  // Going from one to another does not make the way back longer.
  if (place.value === null) history.pushState({ place: to }, '');
  else history.replaceState({ place: to }, '');
  place.value = to;
}
/** Back to the camera. */
export function home(): void {
  if (history.state?.place !== undefined && !returning) {
    returning = true;
    history.back();
  }
  place.value = null;
}

export async function begin(given: Host): Promise<void> {
  host = given;
  addEventListener('popstate', ({ state }: PopStateEvent) => {
    if (returning) {
      returning = false;
      if (place.value !== null) history.pushState({ place: place.value }, '');
      return;
    }
    place.value = inKiosk.value ? null : ((state?.place as Place | undefined) ?? null);
  });
  if (history.state?.place !== undefined) history.replaceState(null, '');
  if (!isSecureContext || crypto.subtle === undefined || !('indexedDB' in globalThis)) {
    obstacle.value = 'insecure';
    return;
  }
  await restart();
}

/** Reads what is on the device and opens the event that was open. */
export async function restart(takeOver = false): Promise<void> {
  // Instead of what was in the way, with the button that called this.
  obstacle.value = 'starting';
  try {
    const kept = await host.storage();
    if (kept !== 'ok') {
      obstacle.value = kept;
      return;
    }
    const at = asked.value?.point ?? null;
    const joined = await joinAsked();
    if (joined !== null) change({ open: joined.id });
    paired.value = await host.paired();
    const last = paired.value.find(({ id }) => id === settings.value.open) ?? paired.value[0];
    if (last === undefined || pairingCode.value !== '') {
      obstacle.value = null;
      place.value = null;
      if (last !== undefined) go('pair');
      return;
    }
    await open(last.id, takeOver);
    if (joined !== null && at !== null) await choosePoint(at);
  } catch (error) {
    obstacle.value =
      faultOf(error) === 'other_tab' ? 'other_tab' : faultOf(error) === 'insecure' ? 'insecure' : 'failed';
  }
}

/** Where the member is not signed in any more, the app asks them to, and leads here again. */
async function joinAsked(): Promise<PairedEvent | null> {
  const wanted = asked.value;
  if (wanted === null) return null;
  asked.value = null;
  try {
    return await host.join(wanted.org, wanted.event);
  } catch (error) {
    if (faultOf(error) === 'refused') location.assign(inApp(wanted.org, wanted.event, 'scan'));
    throw error;
  }
}

export const inApp = (org: string, event: string, screen: string): string =>
  `/app/${org}/events/${event}/check-in/${screen}`;

/** Leaves what cannot be opened where it is, and offers to pair: otherwise a broken event would keep the app from starting for good. */
export function startOver(): void {
  close();
  place.value = null;
  obstacle.value = null;
}

/** Names of people do not stay in a browser whose member has signed out, unless scans wait there. */
async function leaveIfSignedOut(opened: Engine): Promise<void> {
  const { connection, queue, notRecorded } = opened.status();
  const { id, org } = opened.paired;
  if (connection !== 'refused' || org === null || queue + notRecorded > 0 || engine.value !== opened) return;
  signedOut.value = org;
  await leave(id, false);
}

export async function open(id: string, takeOver = false): Promise<void> {
  close();
  const mine = turn;
  try {
    const opened = await host.open(id, { takeOver });
    if (mine === turn) await show(opened);
    else opened.close();
  } catch (error) {
    // What becomes of an event that is no longer wanted is of no interest.
    if (mine === turn) throw error;
  }
}

async function show(opened: Engine): Promise<void> {
  const look = () =>
    batch(() => {
      status.value = opened.status();
      manifest.value = opened.manifest();
      news.value += 1;
    });
  const stopListening = opened.listen(() => {
    look();
    void leaveIfSignedOut(opened);
  });
  const stopHearing = opened.onDisagreement(() => void readDisagreements(opened));
  ends = () => {
    stopListening();
    stopHearing();
    opened.close();
  };
  batch(() => {
    look();
    engine.value = opened;
    point.value = opened.paired.point;
    obstacle.value = null;
    change({ open: opened.paired.id });
  });
  if (testing.value) await opened.testMode(true);
  await readDisagreements(opened);
}

/** Counts what was opened and closed, so that what is open late can tell that it is no longer wanted. */
let turn = 0;
let ends: (() => void) | null = null;

function close(): void {
  turn += 1;
  ends?.();
  ends = null;
  batch(() => {
    engine.value = null;
    status.value = null;
    manifest.value = null;
    point.value = null;
    disagreements.value = [];
  });
}

async function readDisagreements(opened: Engine): Promise<void> {
  const all = await opened.disagreements();
  if (engine.value === opened) disagreements.value = all;
}

export async function sawDisagreements(): Promise<void> {
  const opened = engine.value;
  if (opened === null) return;
  for (const { client_uuid } of disagreements.value) await opened.disagreementSeen(client_uuid);
  await readDisagreements(opened);
}

export async function choosePoint(code: string): Promise<void> {
  point.value = code;
  await engine.value?.choosePoint(code);
}

export async function pairWith(code: string, name: string): Promise<void> {
  const made = await host.pair(code, name);
  pairingCode.value = '';
  paired.value = await host.paired();
  await open(made.id);
}

export async function leave(id: string, evenIfWaiting: boolean): Promise<void> {
  const isOpen = eventId.value === id;
  if (isOpen) close();
  try {
    await host.leave(id, { evenIfWaiting });
  } finally {
    if (isOpen) await restart();
    else paired.value = await host.paired();
  }
}

export async function setTesting(on: boolean): Promise<void> {
  const id = eventId.value;
  if (id === null) return;
  const others = settings.value.testing.filter((one) => one !== id);
  change({ testing: on ? [...others, id] : others });
  await engine.value?.testMode(testing.value);
}

/** The engine's name for what went wrong (engine/errors.ts); null for anything else. */
export const faultOf = (error: unknown): string | null => (error as { fault?: string } | null)?.fault ?? null;
export const codeOf = (error: unknown): string | null => (error as { code?: string | null } | null)?.code ?? null;
