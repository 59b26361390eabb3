import { useEffect, useRef, useState } from 'preact/hooks';
import { forget } from '../parts/door.ts';
import { Field, Notice } from '../parts/form.tsx';
import { engine, status } from '../parts/session.ts';
import { change } from '../parts/settings.ts';
import { Sheet } from '../parts/sheet.tsx';
import { KIOSK_HOLD_MS } from '../parts/times.ts';
import { useUnlocking } from '../parts/unlock.tsx';
import { t } from '../parts/words.ts';

const end = () => {
  forget();
  change({ kiosk: null });
  if (document.fullscreenElement !== null) void document.exitFullscreen();
};

/**
 * Kiosk mode ends with a member's PIN. Without the server no PIN can be checked; then a button is held for five seconds and the name of
 * this device is typed, which the kiosk does not show. The same where no member has a PIN, because the device could never be used again.
 */
export function LeaveKiosk({ onClose }: { onClose: () => void }) {
  const unlocking = useUnlocking({ always: true });
  const [working, setWorking] = useState(false);
  const online = status.value?.connection === 'online';
  const submit = async (event: Event) => {
    event.preventDefault();
    if (working) return;
    setWorking(true);
    const open = await unlocking.unlock();
    setWorking(false);
    if (open) end();
  };
  return (
    <Sheet title={t('kioskLeave')} onClose={onClose}>
      {online && unlocking.members?.length !== 0 ? (
        <form class="sheet-form" onSubmit={(event) => void submit(event)}>
          {unlocking.fields}
          <div class="sheet-actions">
            <button type="submit" class="main" aria-busy={working}>
              {t('kioskEnd')}
            </button>
          </div>
        </form>
      ) : (
        <WithoutServer online={online} />
      )}
    </Sheet>
  );
}

function WithoutServer({ online }: { online: boolean }) {
  const [held, setHeld] = useState(false);
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = () => clearTimeout(timer.current);
  const press = () => {
    release();
    timer.current = setTimeout(() => setHeld(true), KIOSK_HOLD_MS);
  };
  useEffect(() => release, []);
  const fold = (text: string) => text.trim().toLocaleLowerCase();
  return (
    <form
      class="sheet-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (fold(name) === fold(engine.value?.paired.name ?? '')) end();
        else setWrong(true);
      }}
    >
      <Notice tone="warn">{online ? t('kioskNoPin') : t('kioskOffline')}</Notice>
      {held ? (
        <>
          <Field
            label={t('name')}
            hint={t('kioskNameHint')}
            value={name}
            onText={(text) => {
              setName(text);
              setWrong(false);
            }}
            fault={wrong ? t('kioskNameWrong') : null}
            autofocus
          />
          <div class="sheet-actions">
            <button type="submit" class="main">
              {t('kioskEnd')}
            </button>
          </div>
        </>
      ) : (
        <div class="sheet-actions">
          <button
            type="button"
            class="main"
            onPointerDown={press}
            onPointerUp={release}
            onPointerLeave={release}
            onContextMenu={(event) => event.preventDefault()}
            onKeyDown={(event) => {
              if (!event.repeat && (event.key === 'Enter' || event.key === ' ')) press();
            }}
            onKeyUp={release}
            onBlur={release}
          >
            {t('kioskHoldDown')}
          </button>
        </div>
      )}
    </form>
  );
}
