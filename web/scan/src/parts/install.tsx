import { signal } from '@preact/signals';
import { Notice } from './form.tsx';
import { hasRead, markRead } from './settings.ts';
import { t } from './words.ts';

/** What Chromium hands to a page that can be installed. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}
const prompt = signal<InstallPrompt | null>(null);

/** Must be called early: the browser offers it once, when the page is loaded. */
export function awaitInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    prompt.value = event as InstallPrompt;
  });
  addEventListener('appinstalled', () => {
    prompt.value = null;
  });
}

const installed = () => matchMedia('(display-mode: standalone)').matches;
const onApple = () => /iPhone|iPad/.test(navigator.userAgent);

/** A page that is not on the home screen may lose what it keeps: iPhones delete it after seven days. */
export function InstallHint() {
  if (installed() || hasRead('install') || (prompt.value === null && !onApple())) return null;
  return (
    <Notice tone="good" title={t('installTitle')}>
      <p>{onApple() ? t('installApple') : t('installText')}</p>
      <div class="buttons">
        {prompt.value !== null && (
          <button type="button" class="small" onClick={() => void prompt.value?.prompt()}>
            {t('install')}
          </button>
        )}
        <button type="button" class="small" onClick={() => markRead('install')}>
          {t('notNow')}
        </button>
      </div>
    </Notice>
  );
}
