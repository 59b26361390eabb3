import type { CheckInPoint } from '@turnout/client';
import { useFormats, useWords } from '@turnout/ui';
import { useId, useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import type { DoorTone } from './simulate.ts';

const MINUTE = 60_000;
const AROUND = 180 * MINUTE;
const STEP = 5 * MINUTE;

export interface Times {
  day: string;
  choose: (day: string) => void;
  from: number;
  to: number;
  at: number;
  setAt: (at: number) => void;
}

/** The times that can be tried: from three hours before the point opens until three hours after it closes, on a day of the event. */
export function useTimes(point: CheckInPoint): Times {
  const { days } = useEvent();
  const [now] = useState(() => Date.now());
  const [code, setCode] = useState<string | null>(null);
  const day =
    days.find((one) => one.code === code) ?? days.find(({ closes_at }) => Date.parse(closes_at) > now) ?? days.at(-1);
  const opens = (day === undefined ? now : Date.parse(day.opens_at)) - point.policy.opens_minutes_before * MINUTE;
  const closes = (day === undefined ? now : Date.parse(day.closes_at)) + point.policy.closes_minutes_after * MINUTE;
  const from = Math.floor((opens - AROUND) / STEP) * STEP;
  const to = Math.ceil((closes + AROUND) / STEP) * STEP;
  const [chosen, setAt] = useState<number | null>(null);
  // At first the time is now if the day is today, else an hour after opening.
  const first =
    now > opens && now < closes ? Math.floor(now / STEP) * STEP : Math.ceil(opens / STEP) * STEP + 60 * MINUTE;
  return {
    ...{ day: day?.code ?? '', from, to, setAt },
    at: Math.min(to, Math.max(from, chosen ?? first)),
    choose: (next) => {
      setCode(next);
      setAt(null);
    },
  };
}

const PARTS = 96;

/** A slider of times. The strip above it shows by colour what the door would answer all along. */
export function TimeSlider({
  times: { from, to, at, setAt },
  toneAt,
}: {
  times: Times;
  toneAt: (at: number) => DoorTone;
}) {
  const t = useWords('door');
  const formats = useFormats();
  const id = useId();
  const { timezone } = useEvent();
  const runs: { tone: DoorTone; length: number }[] = [];
  for (let i = 0; i < PARTS; i += 1) {
    const tone = toneAt(from + ((to - from) * i) / (PARTS - 1));
    const last = runs.at(-1);
    if (last?.tone === tone) last.length += 1;
    else runs.push({ tone, length: 1 });
  }
  const text = formats.dateTime(at, timezone);
  return (
    <div className="field">
      <div className="row" data-apart="">
        <label htmlFor={id}>{t('simulatedTime')}</label>
        <output htmlFor={id} className="number door-time">
          {text}
        </output>
      </div>
      <div className="door-strip" aria-hidden="true">
        {runs.map(({ tone, length }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a run is its place
          <span key={i} data-tone={tone} style={{ flexGrow: length }} />
        ))}
      </div>
      <input
        id={id}
        className="door-slider"
        type="range"
        min={from}
        max={to}
        step={STEP}
        value={at}
        aria-valuetext={text}
        onChange={(event) => setAt(Number(event.target.value))}
      />
      <div className="row soft small number" data-apart="" aria-hidden="true">
        <span>{formats.dateTime(from, timezone)}</span>
        <span>{formats.dateTime(to, timezone)}</span>
      </div>
    </div>
  );
}
