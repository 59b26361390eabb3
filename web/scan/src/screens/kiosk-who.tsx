import { useEffect } from 'preact/hooks';
import type { WhoIsHere } from '../engine/types.ts';
import { question } from '../parts/door.ts';
import { Who } from './who.tsx';

/** Somebody who walks away does not leave the names of a ticket on the screen. */
const FORGET_MS = 30_000;

export function KioskWho({ of }: { of: WhoIsHere }) {
  useEffect(() => {
    const timer = setTimeout(() => {
      question.value = null;
    }, FORGET_MS);
    return () => clearTimeout(timer);
  }, []);
  const firstNames = of.people.map((one) => ({ ...one, last_name: '' }));
  return <Who of={{ ...of, people: firstNames }} closed />;
}
