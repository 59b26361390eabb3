import { useEffect, useState } from 'preact/hooks';
import type { LastScan } from '../engine/types.ts';
import { nameOf, SIGNS, shadeOf, titleOf } from '../parts/answer-words.ts';
import { canBe, decideAbout, showAgain } from '../parts/door.ts';
import { Icon } from '../parts/icons.tsx';
import { Page } from '../parts/page.tsx';
import { engine, home, manifest, news, timezone } from '../parts/session.ts';
import { formats, t } from '../parts/words.ts';

/** What was scanned here last. From here an admission can be taken back, or a refusal be overridden. */
export function Last() {
  const [scans, setScans] = useState<readonly LastScan[] | null>(null);
  const scanner = engine.value;
  const version = news.value;
  useEffect(() => {
    if (version >= 0) void scanner?.lastScans().then(setScans);
  }, [scanner, version]);
  return (
    <Page title={t('lastTitle')}>
      {scans !== null && scans.length === 0 && <p>{t('lastNone')}</p>}
      <ul class="rows">
        {scans?.map(({ told: answer, sent }) => {
          const shade = shadeOf(answer);
          const again = (undo: boolean) => {
            home();
            showAgain(answer);
            if (undo) decideAbout(answer, 'undo');
          };
          const title = titleOf(answer);
          const what = answer.people.length === 0 ? (answer.code ?? title) : answer.people.map(nameOf).join(', ');
          return (
            <li key={answer.client_uuid} class="last">
              <button type="button" class="row" onClick={() => again(false)}>
                <span class={`badge ${shade}`}>
                  <Icon name={SIGNS[shade]} heavy />
                </span>
                <span>
                  <bdi>{what}</bdi>
                  <small>
                    {[
                      ...(what === title ? [] : [title]),
                      formats().time(answer.scanned_at, timezone.value),
                      manifest.value?.check_in_points.find(({ code }) => code === answer.point)?.name ?? answer.point,
                      ...(answer.test ? [t('testWord')] : []),
                      ...(answer.notRecorded === true ? [t('notRecordedTitle')] : sent ? [] : [t('notSent')]),
                    ].join(' · ')}
                  </small>
                </span>
              </button>
              {canBe('undo', answer) && (
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
