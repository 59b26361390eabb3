import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { AttendanceCounts, SearchResult, Whereabouts } from '../engine/types.ts';
import { presentDay } from './days.ts';
import { engine, manifest, news } from './session.ts';
import { useNow } from './state-line.tsx';

/** The days of the event by date, and the one that is looked at: that of now, until another one is chosen. */
export function useDay() {
  const chosen = useSignal<string | null>(null);
  const days = (manifest.value?.days ?? []).toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const clockOff = engine.value?.status().clockOff ?? 0;
  const isChosen = days.some(({ code }) => code === chosen.value);
  const day = isChosen ? chosen.value : presentDay(days, Date.now() - clockOff);
  const choose = (code: string) => {
    chosen.value = code;
  };
  return { days, day, choose };
}

/** Asks again whenever something may have changed, but never twice at a time: the device that counts also decides about scans. */
function useLatest<T>(ask: () => Promise<T>, onAnswer: (answer: T) => void, about: string): void {
  const asking = useRef(false);
  const again = useRef<(() => void) | null>(null);
  const minute = useNow();
  const version = news.value;
  useEffect(() => {
    let ended = false;
    const run = () => {
      if (ended) return;
      if (asking.current) {
        again.current = run;
        return;
      }
      asking.current = true;
      ask()
        .then(
          (answer) => {
            if (!ended) onAnswer(answer);
          },
          () => undefined,
        )
        .finally(() => {
          asking.current = false;
          again.current?.();
          again.current = null;
        });
    };
    run();
    return () => {
      ended = true;
    };
  }, [about, version, minute]);
}

/** How many came and how many are still to come; null until it is known, and where there is no roster. */
export function useAttendance(day: string | null): AttendanceCounts | null {
  const counts = useSignal<{ day: string | null; of: AttendanceCounts | null }>({ day, of: null });
  useLatest(
    async () => (day === null ? null : ((await engine.value?.attendance(day)) ?? null)),
    (of) => {
      counts.value = { day, of };
    },
    day ?? '',
  );
  return counts.value.day === day ? counts.value.of : null;
}

/** People of the attendance list, by their number in it. Those that are not read yet are missing. */
export function useAttendancePart(
  day: string | null,
  where: Whereabouts,
  { from, count }: { readonly from: number; readonly count: number },
): { readonly from: number; readonly people: readonly SearchResult[]; readonly count: number | null } {
  const list = `${day} ${where}`;
  const part = useSignal<{ list: string; from: number; people: readonly SearchResult[]; count: number | null }>({
    ...{ list, from, people: [], count: null },
  });
  useLatest(
    async () => (day === null ? undefined : engine.value?.attendanceList({ day, where, from, count })),
    (answer) => {
      part.value = { list, from, people: answer?.people ?? [], count: answer?.count ?? 0 };
    },
    `${list} ${from} ${count}`,
  );
  return part.value.list === list ? part.value : { from, people: [], count: null };
}

/** The numbers of all types together. */
export function sumOf(counts: AttendanceCounts): Readonly<Record<Whereabouts, number>> {
  const sum = (where: Whereabouts) => counts.types.reduce((total, one) => total + one[where], 0);
  return { inside: sum('inside'), left: sum('left'), awaited: sum('awaited') };
}

const PACE_MINUTES = 5;
/** How many were admitted a minute, in the last five that are over. */
export const paceOf = ({ minutes }: AttendanceCounts): number =>
  minutes.slice(-1 - PACE_MINUTES, -1).reduce((total, admissions) => total + admissions, 0) / PACE_MINUTES;
