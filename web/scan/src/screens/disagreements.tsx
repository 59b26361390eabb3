import { resultText } from '../parts/answer-words.ts';
import { Page } from '../parts/page.tsx';
import { disagreements, home, sawDisagreements, timezone } from '../parts/session.ts';
import { formats, t } from '../parts/words.ts';

/** What the server judged otherwise than this device had told. Shown until somebody has seen it. */
export function Disagreements() {
  const all = disagreements.value;
  return (
    <Page
      title={t('disagreeTitle')}
      actions={
        all.length > 0 && (
          <button type="button" class="main" onClick={() => void sawDisagreements().then(home)}>
            {t('disagreeSeen')}
          </button>
        )
      }
    >
      <p class="lead">{t('disagreeLead')}</p>
      {all.length === 0 && <p>{t('disagreeNone')}</p>}
      <ul class="rows">
        {all.map((one) => (
          <li key={one.client_uuid} class="kept">
            <strong>
              <bdi>{one.names.length === 0 ? t('somebody') : formats().list(one.names)}</bdi>
            </strong>
            <span>{t('disagreeTold', { told: resultText(one.told, false) })}</span>
            <span>{t('disagreeRecorded', { recorded: resultText(one.recorded, false) })}</span>
            <small>{formats().dateTime(one.scanned_at, timezone.value)}</small>
          </li>
        ))}
      </ul>
    </Page>
  );
}
