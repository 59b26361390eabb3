import { disagreements, go, status, theHost, updateReady } from './session.ts';
import { touchNeeded } from './signals.ts';
import { formats, t } from './words.ts';

/** From this much on, a wrong clock of the device is worth a word. The scanner corrects it by itself. */
const CLOCK_MS = 2 * 60_000;

/** Any touch is enough, so the button itself does nothing. */
export const TouchNeeded = () =>
  touchNeeded.value ? (
    <button type="button" class="notice warn">
      {t('touchNeeded')}
    </button>
  ) : null;

/** What whoever holds the device should know, without stopping them. Each is a line that can be tapped. */
export function Notices() {
  const now = status.value;
  if (now === null) return null;
  const differ = disagreements.value.length;
  return (
    <div class="notices">
      <TouchNeeded />
      {now.storage === 'full' && <p class="notice bad">{t('storageFull')}</p>}
      {differ > 0 && (
        <button type="button" class="notice warn" onClick={() => go('disagreements')}>
          {t('disagreeShort', { count: differ })}
        </button>
      )}
      {now.notRecorded > 0 && (
        <button type="button" class="notice warn" onClick={() => go('not-recorded')}>
          {t('notRecordedShort', { count: now.notRecorded })}
        </button>
      )}
      {now.clockOff !== null && Math.abs(now.clockOff) > CLOCK_MS && (
        <p class="notice warn">
          {t('clockOff', { minutes: formats().number(Math.round(Math.abs(now.clockOff) / 60_000)) })}
        </p>
      )}
      {updateReady.value && (
        <button type="button" class="notice good" onClick={() => void theHost().applyUpdate()}>
          {t('updateReady')}
        </button>
      )}
    </div>
  );
}
