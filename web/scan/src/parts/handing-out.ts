/** What the people on the screen have booked and not got yet, and handing it out. */
import { signal } from '@preact/signals';
import type { BookedBy, ToHandOut } from '../engine/types.ts';
import { codeOf, engine, faultOf, inKiosk } from './session.ts';
import { find, t } from './words.ts';

export const toHandOut = signal<readonly ToHandOut[]>([]);
/** What went wrong with the last tap, in words. */
export const handingProblem = signal<string | null>(null);
/** The tap that waits for the server. */
export const handingOut = signal<ToHandOut | null>(null);

let about: readonly BookedBy[] = [];

/** Looks up these people. In a kiosk nobody stands by who could hand anything out. */
export async function lookUp(people: readonly BookedBy[]): Promise<void> {
  about = inKiosk.value ? [] : people;
  handingProblem.value = null;
  await lookAgain();
}

/** The roster, or what was handed out here, has changed. */
export async function lookAgain(): Promise<void> {
  const asked = about;
  const units = asked.length === 0 ? [] : ((await engine.value?.toHandOut(asked)) ?? []);
  if (asked === about) toHandOut.value = units;
}

export async function handOut(unit: ToHandOut): Promise<void> {
  if (handingOut.value !== null) return;
  handingOut.value = unit;
  await attempt(
    () => engine.value!.handOut(unit),
    (code) => find(`handOutFault.${code}`) ?? t('handOutFault.failed'),
  );
  handingOut.value = null;
}

export const undoHandOut = (client_uuid: string): Promise<void> =>
  attempt(
    () => engine.value!.undoHandOut(client_uuid, t('handOutSlip')),
    (code) => find(`handOutUndoFault.${code}`) ?? t('handOutUndoFault.failed'),
  );

async function attempt(work: () => Promise<void>, words: (code: string | null) => string): Promise<void> {
  handingProblem.value = null;
  try {
    await work();
  } catch (error) {
    handingProblem.value = words(codeOf(error) ?? faultOf(error));
  }
  await lookAgain();
}
