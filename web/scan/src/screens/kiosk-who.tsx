import { useEffect } from 'preact/hooks';
import type { PeopleQuestion } from '../engine/types.ts';
import { question } from '../parts/door.ts';
import { PeopleSheet } from './who.tsx';

/** Somebody who walks away does not leave the names of a ticket on the screen. */
const FORGET_MS = 30_000;

export function KioskPeopleSheet({ peopleQuestion }: { peopleQuestion: PeopleQuestion }) {
  useEffect(() => {
    const timer = setTimeout(() => {
      question.value = null;
    }, FORGET_MS);
    return () => clearTimeout(timer);
  }, []);
  const firstNames = peopleQuestion.people.map((one) => ({ ...one, last_name: '', group: null, answers: [] }));
  return <PeopleSheet peopleQuestion={{ ...peopleQuestion, people: firstNames }} closed />;
}
