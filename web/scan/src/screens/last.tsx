import { useEffect, useState } from 'preact/hooks';
import type { LastScan } from '../engine/types.ts';
import { nameOf, SIGNS, shadeOf, titleOf } from '../parts/answer-words.ts';
import { decideAbout, isUndoable, showAgain } from '../parts/door.ts';
import { Icon } from '../parts/icons.tsx';
import { Page } from '../parts/page.tsx';
import { engine, home, manifest, news, timezone } from '../parts/session.ts';
import { formats, t } from '../parts/words.ts';

/** What was scanned here last. From here an admission can be taken back, or a refusal be overridden. */
export function Last() {
  const [scans, setScans] = useState<readonly LastScan[] | null>(null);
  const of = engine.value;
  const version = news.value;
  useEffect(() => {
    if (version >= 0) void of?.lastScans().then(setScans);
  }, [of, version]);
  return (
    <Page title={t('lastTitle')}>
      {scans !== null && scans.length === 0 && <p>{t('lastNone')}</p>}
      <ul class="rows">
        {scans?.map(({ told, sent }) => {
          const shade = shadeOf(told);
          const again = (decide: boolean) => {
            home();
            showAgain(told);
            if (decide) decideAbout(told);
          };
          return (
            <li key={told.client_uuid} class="last">
              <button type="button" class="row" onClick={() => again(false)}>
                <span class={`badge ${shade}`}>
                  <Icon name={SIGNS[shade]} heavy />
                </span>
                <span>
                  <bdi>{told.people.length === 0 ? titleOf(told) : told.people.map(nameOf).join(', ')}</bdi>
                  <small>
                    {[
                      titleOf(told),
                      formats().time(told.scanned_at, timezone.value),
                      manifest.value?.check_in_points.find(({ code }) => code === told.point)?.name ?? told.point,
                      ...(told.test ? [t('testWord')] : []),
                      ...(sent ? [] : [t('notSent')]),
                    ].join(' · ')}
                  </small>
                </span>
              </button>
              {isUndoable(told) && (
                <button type="button" class="small" onClick={() => again(true)}>
                  {t('undo')}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </Page>
  );
}
