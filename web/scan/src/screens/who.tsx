import { useState } from 'preact/hooks';
import type { WhoIsHere } from '../engine/types.ts';
import { expected, hold, question } from '../parts/door.ts';
import { Sheet } from '../parts/sheet.tsx';
import { t } from '../parts/words.ts';

/** A ticket of several people: who of them is here? Nothing is written before it is answered. */
export function Who({ of }: { of: WhoIsHere }) {
  const [here, setHere] = useState<ReadonlySet<string>>(
    () => new Set(expected.value === null ? of.people.map(({ id }) => id) : [expected.value]),
  );
  const [sent, setSent] = useState(false);
  const toggle = (id: string) => {
    const next = new Set(here);
    if (!next.delete(id)) next.add(id);
    setHere(next);
  };
  const close = () => {
    question.value = null;
  };
  return (
    <Sheet title={t('whoTitle')} onClose={close}>
      <form
        class="sheet-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (here.size === 0 || sent) return;
          setSent(true);
          void hold(of.held, { people: of.people.map(({ id }) => id).filter((id) => here.has(id)) });
        }}
      >
        <fieldset class="who">
          <legend>{t('whoLead')}</legend>
          {of.people.map((one) => (
            <label key={one.id}>
              <input type="checkbox" checked={here.has(one.id)} onChange={() => toggle(one.id)} />
              <span>
                <bdi>{`${one.first_name} ${one.last_name}`}</bdi>
                <small>{one.attendee_type}</small>
              </span>
            </label>
          ))}
        </fieldset>
        <div class="sheet-actions">
          <button type="submit" class="main" disabled={here.size === 0} aria-busy={sent} autofocus>
            {t('checkInCount', { count: here.size })}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
