import { useState } from 'preact/hooks';
import type { PairedEvent } from '../engine/types.ts';
import { forget } from '../parts/door.ts';
import { Icon } from '../parts/icons.tsx';
import { Page } from '../parts/page.tsx';
import { eventId, faultOf, go, home, open, paired } from '../parts/session.ts';
import { t } from '../parts/words.ts';

const nameOf = ({ name, org }: PairedEvent): string => (org === null ? name : t('yourSession'));

/** The events that this device is paired with; one of them is open. */
export function Events() {
  const [fault, setFault] = useState<string | null>(null);
  const choose = async ({ id }: PairedEvent) => {
    try {
      if (id !== eventId.value) {
        forget();
        await open(id);
      }
      home();
    } catch (error) {
      setFault(faultOf(error) === 'other_tab' ? t('otherTabTitle') : (error as Error).message);
    }
  };
  return (
    <Page
      title={t('eventsTitle')}
      actions={
        <button type="button" onClick={() => go('pair')}>
          {t('pairAnother')}
        </button>
      }
    >
      <ul class="rows">
        {paired.value.map((one) => (
          <li key={one.id}>
            <button type="button" class="row" aria-current={one.id === eventId.value} onClick={() => void choose(one)}>
              <span>
                <bdi>{one.event.name}</bdi>
                <small>{one.id === eventId.value ? t('eventOpen', { device: nameOf(one) }) : nameOf(one)}</small>
              </span>
              <Icon name="on" />
            </button>
          </li>
        ))}
      </ul>
      {fault !== null && (
        <p class="fault" role="alert">
          {fault}
        </p>
      )}
    </Page>
  );
}
