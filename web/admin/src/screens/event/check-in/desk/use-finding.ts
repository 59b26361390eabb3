import { registrationCodeIn, ticketCodeIn } from '@turnout/checkin';
import { useChosen, useText } from './use-desk.ts';
import { useFind } from './use-find.ts';

/** What stands in the field, whom it finds, and who of them is chosen. */
export function useFinding() {
  const [text, setText] = useText();
  const found = useFind(text);
  /** A ticket of several people was scanned, or the code of a registration typed, and these are they. */
  const isShared = (ticketCodeIn(text) ?? registrationCodeIn(text)) !== null && found.rows.length > 1;
  return { text, setText, found, isShared, isFinding: text.trim() !== '', ...useChosen(found.rows, text, isShared) };
}

export type Finding = ReturnType<typeof useFinding>;
