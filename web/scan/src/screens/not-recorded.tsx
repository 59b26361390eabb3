import { useEffect, useState } from 'preact/hooks';
import type { NotRecorded as Kept } from '../engine/types.ts';
import { resultText } from '../parts/answer-words.ts';
import { HandOver } from '../parts/hand-over.tsx';
import { Page } from '../parts/page.tsx';
import { reasonOf } from '../parts/refused-scan.ts';
import { engine, manifest, news, status, timezone } from '../parts/session.ts';
import { find, formats, t } from '../parts/words.ts';

/** Scans that the server refused to record. They are kept, and an organizer can upload them on the Door page. */
export function NotRecorded() {
  const [scans, setScans] = useState<readonly Kept[] | null>(null);
  const of = engine.value;
  const version = news.value;
  useEffect(() => {
    if (version >= 0) void of?.notRecorded().then(setScans);
  }, [of, version]);
  const pointName = (code: string) => manifest.value?.check_in_points.find((one) => one.code === code)?.name ?? code;
  const points = manifest.value?.check_in_points.map(({ code }) => code) ?? [];
  const waiting = status.value?.queue ?? 0;
  return (
    <Page title={t('notRecordedTitle')} actions={(scans?.length ?? 0) + waiting > 0 && <HandOver />}>
      <p class="lead">{t('notRecordedLead')}</p>
      {waiting > 0 && <p>{t('queueWaits', { count: waiting })}</p>}
      {scans?.length === 0 && <p>{t('notRecordedNone')}</p>}
      <ul class="rows">
        {scans?.map((one) => (
          <li key={one.client_uuid} class="kept">
            <strong>
              {formats().dateTime(one.scanned_at, timezone.value)} · {pointName(one.point)}
            </strong>
            <span>{find(`notRecordedWhy.${reasonOf(one, points)}`) ?? one.message}</span>
            {one.told !== null && <small>{t('wasTold', { result: resultText(one.told, false) })}</small>}
          </li>
        ))}
      </ul>
    </Page>
  );
}
