import { useState } from 'preact/hooks';
import { engine } from './session.ts';
import { t } from './words.ts';

/** Gives what the server has not recorded to an organizer as a file: by the phone's own way of sharing, else as a download. */
export function HandOver() {
  const [done, setDone] = useState(false);
  const [fault, setFault] = useState(false);
  const give = async () => {
    setFault(false);
    try {
      const of = engine.value!;
      const blob = await of.handOver();
      const name = `turnout-scans-${of.paired.event.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40)}.json`;
      await share(new File([blob], name, { type: 'application/json' }));
      setDone(true);
    } catch {
      setFault(true);
    }
  };
  return (
    <div class="hand-over">
      <button type="button" class="wide" onClick={() => void give()}>
        {t('handOver')}
      </button>
      <p class="hint" role="status">
        {fault ? t('handOverFailed') : done ? t('handOverDone') : t('handOverHint')}
      </p>
    </div>
  );
}

async function share(file: File): Promise<void> {
  if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (error) {
      if ((error as DOMException).name === 'AbortError') return;
    }
  }
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
