import type { Manifest } from '../engine/types.ts';

/** Doors are busy before a day opens and after it closes. */
const AROUND = 2 * 3_600_000;

type Day = Pick<Manifest['days'][number], 'code' | 'opens_at' | 'closes_at'>;

/** The day that whoever asks now means: the one that is open, else one that is nearly so, else the last that has begun, else the first. */
export function presentDay(days: readonly Day[], now: number): string | null {
  const opens = (day: Day) => Date.parse(day.opens_at);
  const isOpen = (day: Day, around: number) => opens(day) - around <= now && now < Date.parse(day.closes_at) + around;
  const inOrder = days.toSorted((a, b) => opens(a) - opens(b));
  const day =
    inOrder.find((one) => isOpen(one, 0)) ??
    inOrder.find((one) => isOpen(one, AROUND)) ??
    inOrder.findLast((one) => opens(one) <= now) ??
    inOrder[0];
  return day?.code ?? null;
}
