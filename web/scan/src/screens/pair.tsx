import { useEffect, useState } from 'preact/hooks';
import { Camera } from '../parts/camera.tsx';
import { Field, Notice } from '../parts/form.tsx';
import { InstallHint } from '../parts/install.tsx';
import { Page } from '../parts/page.tsx';
import { codeIn } from '../parts/pairing-code.ts';
import { codeOf, faultOf, home, paired, pairingCode, pairWith, signedOut } from '../parts/session.ts';
import { find, t } from '../parts/words.ts';

/** Joins an event: by the QR code that an organizer shows, or by typing what stands below it. */
export function Pair() {
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const [looking, setLooking] = useState(false);
  const code = pairingCode.value;
  useEffect(() => setFault(null), [code]);
  const read = (text: string) => {
    const found = codeIn(text);
    setLooking(false);
    if (found === null) setFault(t('pairNotACode'));
    else pairingCode.value = found;
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (working) return;
    if (code.trim() === '') return setFault(t('pairCodeMissing'));
    setWorking(true);
    try {
      await pairWith(code.trim(), name.trim());
      home();
    } catch (error) {
      setFault(find(`pairFault.${codeOf(error) ?? faultOf(error)}`) ?? (error as Error).message);
    } finally {
      setWorking(false);
    }
  };
  const first = paired.value.length === 0;
  return (
    <Page title={t('pairTitle')} back={first ? null : home}>
      {signedOut.value !== null && (
        <Notice tone="warn" title={t('signedOut')}>
          {t('signedOutText')} <a href={`/app/${signedOut.value}`}>{t('signIn')}</a>
        </Notice>
      )}
      <p class="lead">{t('pairLead')}</p>
      {looking ? (
        <div class="pair-camera">
          <Camera onCode={read} listening />
          <button type="button" onClick={() => setLooking(false)}>
            {t('cancel')}
          </button>
        </div>
      ) : (
        <button type="button" class="wide" onClick={() => setLooking(true)}>
          {t('pairScan')}
        </button>
      )}
      <form class="form" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('code')}
          hint={t('pairCodeHint')}
          value={code}
          onText={(text) => {
            pairingCode.value = codeIn(text) ?? text;
          }}
          fault={fault}
          class="code"
          maxLength={200}
          autocapitalize="none"
          spellcheck={false}
        />
        <Field label={t('name')} hint={t('deviceNameHint')} value={name} onText={setName} maxLength={100} />
        <button type="submit" class="main" aria-busy={working}>
          {t('pair')}
        </button>
      </form>
      <InstallHint />
      {first && <Notice tone="good">{t('pairWhere')}</Notice>}
    </Page>
  );
}
