import { LANGUAGE_NAMES, LANGUAGES } from '@turnout/words/scanner';
import { useState } from 'preact/hooks';
import { VERSION } from '../engine/version.ts';
import { forget, sheet } from '../parts/door.ts';
import { Choice, Notice, Switch } from '../parts/form.tsx';
import { HandOver } from '../parts/hand-over.tsx';
import { Icon } from '../parts/icons.tsx';
import { InstallHint } from '../parts/install.tsx';
import { Page } from '../parts/page.tsx';
import {
  disagreements,
  engine,
  eventId,
  go,
  home,
  inApp,
  leave,
  manifest,
  type Place,
  setTesting,
  status,
  testing,
  theHost,
  updateReady,
} from '../parts/session.ts';
import { change, settings, theme } from '../parts/settings.ts';
import { Sheet } from '../parts/sheet.tsx';
import { give } from '../parts/signals.ts';
import { ConnectionLine, Freshness } from '../parts/state-line.tsx';
import { chooseSpeech, languageNow, t } from '../parts/words.ts';

export function Settings() {
  const [leaving, setLeaving] = useState(false);
  const org = engine.value?.paired.org ?? null;
  // Visitors must not hold a browser in which a member is signed in.
  const kiosk = manifest.value?.event.door.kiosk === true && org === null;
  const counts: Partial<Record<Place, number>> = {
    'not-recorded': status.value?.notRecorded ?? 0,
    disagreements: disagreements.value.length,
  };
  return (
    <Page title={t('settingsTitle')}>
      <ConnectionLine />
      <Freshness />
      <InstallHint />
      <ul class="rows">
        {(['points', 'statistics', 'last', 'not-recorded', 'disagreements', 'events'] as const).map((to) => (
          <li key={to}>
            <button type="button" class="row" onClick={() => go(to)}>
              <span>{t(`to.${to}`)}</span>
              {(counts[to] ?? 0) > 0 && <strong class="count">{counts[to]}</strong>}
              <Icon name="on" />
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="wide"
        onClick={() => {
          home();
          sheet.value = 'walk-in';
        }}
      >
        {t('walkIn')}
      </button>
      <Looks />
      <section class="group">
        <h2>{t('modes')}</h2>
        <Switch
          label={t('testMode')}
          hint={manifest.value?.event.test === true ? t('testEvent') : t('testModeHint')}
          on={testing.value}
          onSwitch={(on) => void setTesting(on)}
        />
        {kiosk && (
          <>
            <p class="hint">{t('kioskHint')}</p>
            <button
              type="button"
              class="wide"
              onClick={() => {
                forget();
                change({ kiosk: eventId.value });
                home();
              }}
            >
              {t('kioskBegin')}
            </button>
          </>
        )}
      </section>
      <section class="group">
        <h2>{t('thisDevice')}</h2>
        <p class="hint">
          {org === null
            ? t('deviceIs', { name: engine.value?.paired.name ?? '', version: VERSION })
            : t('sessionIs', { version: VERSION })}
          {status.value?.persistent === false && ` ${t('notPersistent')}`}
        </p>
        {org !== null && (
          <a class="button wide" href={inApp(org, engine.value!.paired.event.id, '')}>
            {t('toApp')}
          </a>
        )}
        {updateReady.value && (
          <button type="button" class="wide" onClick={() => void theHost().applyUpdate()}>
            {t('updateReady')}
          </button>
        )}
        <button type="button" class="wide" onClick={() => setLeaving(true)}>
          {t('leave')}
        </button>
      </section>
      {leaving && <Leave onClose={() => setLeaving(false)} />}
    </Page>
  );
}

function Looks() {
  return (
    <section class="group">
      <h2>{t('howItLooks')}</h2>
      <Choice
        label={t('language')}
        value={languageNow()}
        options={LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const)}
        onChoose={(one) => void chooseSpeech(one)}
      />
      <Choice
        label={t('theme')}
        value={theme.value}
        options={(['system', 'light', 'dark'] as const).map((one) => [one, t(`theme.${one}`)] as const)}
        onChoose={(one) => {
          theme.value = one;
        }}
      />
      <p class="hint">{t('brightness')}</p>
      <Choice
        label={t('hand')}
        value={settings.value.hand}
        options={(['right', 'left'] as const).map((one) => [one, t(`hand.${one}`)] as const)}
        onChoose={(hand) => change({ hand })}
      />
      <Switch
        label={t('sound')}
        on={settings.value.sound}
        onSwitch={(sound) => {
          change({ sound });
          if (sound) give('good');
        }}
      />
      <Switch label={t('vibration')} on={settings.value.vibration} onSwitch={(vibration) => change({ vibration })} />
    </section>
  );
}

/** Leaving an event while it holds scans would lose them, so they have to be handed over first. */
function Leave({ onClose }: { onClose: () => void }) {
  const waiting = (status.value?.queue ?? 0) + (status.value?.notRecorded ?? 0);
  const [sure, setSure] = useState(false);
  return (
    <Sheet title={t('leaveTitle')} onClose={onClose}>
      <div class="sheet-form">
        <p>{t('leaveText', { event: engine.value?.paired.event.name ?? '' })}</p>
        {waiting > 0 && (
          <>
            <Notice tone="bad" title={t('leaveWaiting', { count: waiting })}>
              {t('leaveWaitingText')}
            </Notice>
            <HandOver />
            <Switch label={t('leaveSure')} on={sure} onSwitch={setSure} />
          </>
        )}
        <div class="sheet-actions">
          <button
            type="button"
            class="main"
            disabled={waiting > 0 && !sure}
            onClick={() => {
              onClose();
              forget();
              home();
              void leave(eventId.value!, sure);
            }}
          >
            {t('leave')}
          </button>
        </div>
      </div>
    </Sheet>
  );
}
