import { cleanLines } from './clean.ts';

/** How somebody pays: online, as the organizer's instructions say, or however the organizer tells them. */
export type WayToPay = 'online' | 'instructions' | 'ask';

interface Instructed {
  payment_instructions?: string | null;
}

/** The lines that say how to pay without a payment provider; none if the organizer wrote nothing. */
export function instructionsOf({ payment_instructions }: Instructed): string[] {
  const lines = cleanLines(payment_instructions ?? '');
  return lines.join('') === '' ? [] : lines;
}

export function wayToPay(isOnline: boolean, instructed: Instructed): WayToPay {
  if (isOnline) return 'online';
  return instructionsOf(instructed).length > 0 ? 'instructions' : 'ask';
}
