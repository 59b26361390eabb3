import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icons.tsx';
import { engine, go, manifest, news, point, status, thePoint } from './session.ts';
import { formats, t } from './words.ts';

/** A roster that is older is said to be old: people who registered since are not in it. */
const OLD_MS = 10 * 60_000;

/** Draws again from time to time, for texts like "3 minutes ago". */
export function useNow(everyMs = 15_000): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** Whether the server answers, and how many scans wait for it. */
export function ConnectionLine() {
  const now = status.value;
  if (now === null) return null;
  const online = now.connection === 'online';
  return (
    <p class={`connection ${online ? '' : 'off'}`} data-queue={now.queue} data-connection={now.connection}>
      <Icon name={online ? 'net' : 'noNet'} />
      <span>{online ? t('online') : t('offline')}</span>
      {now.queue > 0 && <strong>{t('queue', { count: now.queue })}</strong>}
    </p>
  );
}

export function RosterProgress() {
  const loading = status.value?.loading ?? null;
  if (loading === null) return null;
  return (
    <div class="loading">
      <label>
        <span>{t('rosterLoading', { done: formats().number(loading.done), of: formats().number(loading.total) })}</span>
        <progress value={loading.done} max={Math.max(loading.total, 1)} />
      </label>
    </div>
  );
}

/** How fresh what the device knows is. */
export function Freshness() {
  const here = useNow();
  const state = status.value;
  if (state === null || state.loading !== null) return <RosterProgress />;
  if (state.tickets === null || state.rosterAt === null) return <p class="freshness warn">{t('rosterNone')}</p>;
  // The roster's time is the server's, and the clock of the device may be wrong.
  const now = here - (state.clockOff ?? 0);
  const old = now - state.rosterAt > OLD_MS;
  const when = formats().relative(state.rosterAt, Math.max(now, state.rosterAt));
  return (
    <p class={old ? 'freshness warn' : 'freshness'}>
      {state.narrowed
        ? t('rosterNarrowed', { count: state.tickets, when })
        : t('rosterAt', { count: state.tickets, when })}
    </p>
  );
}

export function Counts() {
  const [counts, setCounts] = useState<{ point: number; event: number; inside: number | null } | null>(null);
  const at = point.value;
  const of = engine.value;
  const version = news.value;
  useEffect(() => {
    let ended = false;
    if (of !== null && at !== null && version >= 0)
      of.counts(at).then(
        (now) => ended || setCounts(now),
        () => undefined,
      );
    return () => {
      ended = true;
    };
  }, [of, at, version]);
  const capacity = thePoint.value?.policy.capacity ?? null;
  return (
    <dl class="counts">
      <div>
        <dt>{t('countPoint')}</dt>
        <dd>{counts === null ? '–' : formats().number(counts.point)}</dd>
      </div>
      <div>
        <dt>{t('countEvent')}</dt>
        <dd>{counts === null ? '–' : formats().number(counts.event)}</dd>
      </div>
      {counts !== null && counts.inside !== null && (
        <div>
          <dt>{t('countInside')}</dt>
          <dd>
            {formats().number(counts.inside)}
            {capacity !== null && ` / ${formats().number(capacity)}`}
          </dd>
        </div>
      )}
    </dl>
  );
}

/** Which event and point: the button leads to choosing another point. */
export function PointButton() {
  return (
    <button type="button" class="where" onClick={() => go('points')}>
      <span class="where-point">
        <span class="hidden">{t('pointNow')} </span>
        <bdi>{thePoint.value?.name ?? point.value}</bdi>
      </span>
      <small>
        <bdi>{manifest.value?.event.name ?? engine.value?.paired.event.name}</bdi>
      </small>
    </button>
  );
}
