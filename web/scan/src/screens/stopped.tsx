import { useState } from 'preact/hooks';
import { HandOver } from '../parts/hand-over.tsx';
import { Page } from '../parts/page.tsx';
import { engine, eventId, go, leave, open, paired, restart, status, stopped, theHost } from '../parts/session.ts';
import { t } from '../parts/words.ts';

/** Nothing can be scanned: why, what becomes of what was scanned, and what to do. */
export function Stopped() {
  const why = stopped.value!;
  const waiting = (status.value?.queue ?? 0) + (status.value?.notRecorded ?? 0);
  const readable = why !== 'missing' && why !== 'elsewhere';
  return (
    <Page title={t(`stopped.${why}`)} back={null} actions={<StoppedActions why={why} waiting={waiting} />}>
      <p class="lead">{t(`stoppedText.${why}`)}</p>
      {readable && (
        <p data-queue={status.value?.queue}>
          {waiting === 0 ? t('nothingWaits') : t('stoppedQueue', { count: waiting })}
        </p>
      )}
      {readable && waiting > 0 && <HandOver />}
    </Page>
  );
}

function StoppedActions({ why, waiting }: { why: NonNullable<typeof stopped.value>; waiting: number }) {
  const [working, setWorking] = useState(false);
  const [none, setNone] = useState(false);
  const id = eventId.value!;
  const update = async () => {
    setWorking(true);
    setNone(!(await theHost().update()));
    setWorking(false);
  };
  return (
    <>
      {why === 'too_old' && (
        <button type="button" class="main" aria-busy={working} onClick={() => void update()}>
          {t('updateNow')}
        </button>
      )}
      {none && (
        <p class="hint" role="status">
          {t('updateNone')}
        </p>
      )}
      {why === 'elsewhere' && (
        <button type="button" class="main" onClick={() => void open(id, true).catch(() => restart())}>
          {t('scanHere')}
        </button>
      )}
      {(why === 'refused' || why === 'wiped') && (
        <button type="button" class="main" onClick={() => go('pair')}>
          {t('pairAgain')}
        </button>
      )}
      {why === 'missing' && (
        <button type="button" class="main" onClick={() => location.reload()}>
          {t('reload')}
        </button>
      )}
      {why !== 'elsewhere' && paired.value.length > 1 && (
        <button type="button" onClick={() => go('events')}>
          {t('otherEvent')}
        </button>
      )}
      {why === 'refused' && waiting === 0 && engine.value !== null && (
        <button type="button" onClick={() => void leave(id, false)}>
          {t('leave')}
        </button>
      )}
    </>
  );
}
