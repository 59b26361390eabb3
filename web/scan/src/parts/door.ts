/** The scans of this page, one after the other: what somebody holds to the device, and the answer that the screen shows. */
import { computed, signal } from '@preact/signals';
import { ticketCode } from '@turnout/checkin';
import type { PeopleQuestion, PersonAnswer, ScanAnswer, ScanTarget } from '../engine/types.ts';
import { type CodeForm, formOf } from './code-form.ts';
import { lookUp, toHandOut } from './handing-out.ts';
import { codeOf, engine, faultOf, inKiosk, manifest, point, stopped, testing } from './session.ts';
import { cueOf, give } from './signals.ts';
import { KIOSK_REFUSAL_MS, KIOSK_SUCCESS_MS, SUCCESS_MS } from './times.ts';

/** After this time without an answer, the screen says that the answer is on its way. */
const BUSY_AFTER_MS = 80;

/** Why a scan has no answer. `code` is the server's. */
export interface NoAnswer {
  readonly fault: string;
  readonly code: string | null;
}

export const shownAnswer = signal<ScanAnswer | null>(null);
export const noAnswer = signal<NoAnswer | null>(null);
/** Whether the answer covers the screen. Afterwards it stays in a line above the buttons. */
export const covering = signal(false);
/** The answer is to a scan of before, and is looked at again. */
export const earlier = signal(false);
export const question = signal<PeopleQuestion | null>(null);
/** The people who are ticked when the question is asked: all of them, or who was found by name. */
export const expected = signal<string | null>(null);
/** Another ticket was held up while the question is open. It is not asked about: whoever holds it up has to do so again. */
export const missed = signal(false);
export const busy = signal(false);
/** What a code that nobody knows may be, by its form; null if the answer is about something else. */
export const unknownForm = signal<CodeForm | null>(null);
/**
 * What lies above the camera and needs whoever holds the device. Codes that the camera sees are not read then. A decision holds the answer
 * that it is about, because another code may have been read just before, and its answer comes or fails meanwhile.
 */
export const sheet = signal<'code' | 'search' | 'walk-in' | Decision | null>(null);
export const listening = computed(
  () => sheet.value === null && question.value === null && stopped.value === null && point.value !== null,
);

interface Decision {
  readonly decide: ScanAnswer;
  readonly verdict: Verdict;
}

let timer: ReturnType<typeof setTimeout> | undefined;
let before: Promise<void> = Promise.resolve();

/** Sends scans one after the other, so that answers come in the order in which people held up their tickets. */
export function hold(held: ScanTarget, options: HoldOptions = {}): Promise<void> {
  before = before.then(() => ask(held, options));
  return before;
}

interface HoldOptions {
  /** Who is here, of a ticket of several. */
  readonly people?: readonly string[];
  /** Who was found by name. */
  readonly person?: string;
  /** What else the code may be, by the keys of the scanner that typed it; tried one after the other if nobody knows the code. */
  readonly otherwise?: readonly string[];
}

async function ask(target: ScanTarget, { people, person, otherwise = [] }: HoldOptions): Promise<void> {
  // The code was read just before the question opened, and is not asked about, like one that is read while a question is open. Its answer
  // would take the place of the question, or come once whoever held it up may have gone.
  if (question.value !== null && people === undefined) return miss(target);
  const scanner = engine.value;
  const at = point.value;
  if (scanner === null || at === null) return;
  const late = setTimeout(() => {
    busy.value = true;
  }, BUSY_AFTER_MS);
  try {
    const options = { point: at, test: testing.value, ...(people !== undefined && { people }) };
    let answer = await scanner.scan(target, options);
    for (const code of otherwise) {
      if (!('result' in answer) || answer.result !== 'unknown' || answer.by === 'nobody') break;
      answer = await scanner.scan({ code }, options);
    }
    if (engine.value !== scanner) return;
    if ('ask' in answer) {
      uncover();
      expected.value = person ?? null;
      missed.value = false;
      question.value = answer;
    } else {
      await lookUp(bookedBy(answer));
      if (engine.value !== scanner) return;
      question.value = null;
      tell(answer);
      if (answer.result === 'unknown' && answer.by !== 'nobody' && 'code' in target)
        unknownForm.value = formOf(target.code);
    }
  } catch (error) {
    question.value = null;
    shownAnswer.value = null;
    earlier.value = false;
    noAnswer.value = { fault: faultOf(error) ?? 'failed', code: codeOf(error) };
    cover(KIOSK_REFUSAL_MS, false);
    give('stop');
  } finally {
    clearTimeout(late);
    busy.value = false;
  }
}

/** Says that a ticket was not read. The one that the question is about may still be held. */
export function miss(target: ScanTarget): void {
  const asked = question.value?.target;
  if (asked === undefined || missed.value) return;
  if ('code' in target && 'code' in asked && ticketCode(target.code) === ticketCode(asked.code)) return;
  missed.value = true;
  give('look');
}

const bookedBy = ({ people }: ScanAnswer) => people.map(({ id, ticket = null }) => ({ ticket, person: id }));

export function tell(answer: ScanAnswer): void {
  noAnswer.value = null;
  earlier.value = false;
  unknownForm.value = null;
  shownAnswer.value = answer;
  const good = answer.tone === 'success';
  // What is to be handed out stays on the screen until it is done.
  const done = good && toHandOut.value.length === 0;
  cover(good ? (inKiosk.value ? KIOSK_SUCCESS_MS : SUCCESS_MS) : KIOSK_REFUSAL_MS, done);
  give(answer.by === 'nobody' ? 'look' : cueOf(answer.tone));
}

/** A refusal stays until somebody taps it or another code is read; in a kiosk nobody does. */
function cover(ms: number, good: boolean): void {
  clearTimeout(timer);
  covering.value = true;
  if (good || inKiosk.value) timer = setTimeout(uncover, ms);
}

export function uncover(): void {
  clearTimeout(timer);
  covering.value = false;
  noAnswer.value = null;
}

/** Whether a member can decide about it. The server lets nobody decide about tests of a live event, which count nowhere anyway. */
const canDecide = ({ by, test, notRecorded }: ScanAnswer): boolean =>
  by !== 'nobody' && notRecorded !== true && (!test || manifest.value?.event.test === true);

/** What a member can do about somebody: admit them all the same, or take their admission back. */
export type Verdict = 'override' | 'undo';

/** Who was admitted can be undone, and who was refused can be overridden. There is no refusal of somebody whose admission was undone. */
export const isOpenTo = (verdict: Verdict, { admitted, result }: PersonAnswer): boolean =>
  verdict === 'undo' ? admitted : !admitted && result !== 'undone';

/** Whether there is anybody of whom a member can decide this. */
export const canBe = (verdict: Verdict, answer: ScanAnswer): boolean =>
  canDecide(answer) && answer.people.some((one) => isOpenTo(verdict, one));

/** Keeps an answer on the screen while somebody decides about it. */
export function decideAbout(answer: ScanAnswer, verdict: Verdict): void {
  clearTimeout(timer);
  sheet.value = { decide: answer, verdict };
}

/** Shows an earlier answer again. It is not heard again, and stays until it is closed: it is not about who stands here now. */
export function showAgain(answer: ScanAnswer): void {
  clearTimeout(timer);
  noAnswer.value = null;
  earlier.value = true;
  unknownForm.value = null;
  shownAnswer.value = answer;
  covering.value = true;
  void lookUp(bookedBy(answer));
}

/** When another event or kiosk mode begins, nothing of before is left on the screen. */
export function forget(): void {
  uncover();
  shownAnswer.value = null;
  question.value = null;
  sheet.value = null;
}
