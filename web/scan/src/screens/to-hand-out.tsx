import { useEffect } from 'preact/hooks';
import type { ToHandOut } from '../engine/types.ts';
import { handingOut, handingProblem, handOut, lookAgain, toHandOut, undoHandOut } from '../parts/handing-out.ts';
import { Icon } from '../parts/icons.tsx';
import { engine } from '../parts/session.ts';
import { t } from '../parts/words.ts';

/** What the people on the screen have booked and not got yet: large, and one tap hands out one unit. */
export function ToHandOutList() {
  const scanner = engine.value;
  useEffect(() => scanner?.listen(() => void lookAgain()), [scanner]);
  if (toHandOut.value.length === 0 && handingProblem.value === null) return null;
  return (
    <section class="handing" aria-label={t('toHandOut')}>
      <h2>{t('toHandOut')}</h2>
      <ul>
        {toHandOut.value.map((unit) => (
          <Unit key={`${unit.attendee ?? unit.registration} ${unit.product} ${unit.option}`} unit={unit} />
        ))}
      </ul>
      <p class="handing-problem" role="alert">
        {handingProblem.value}
      </p>
    </section>
  );
}

function Unit({ unit }: { unit: ToHandOut }) {
  const { left, given, optionName, attendee } = unit;
  const name = optionName === null ? unit.name : t('handOutWithOption', { name: unit.name, option: optionName });
  const last = given.at(-1);
  return (
    <li data-left={left}>
      <span class="handing-what">
        <bdi>{left > 1 ? t('handOutCount', { count: left, name }) : name}</bdi>
        {attendee === null && <small>{t('handOutForAll')}</small>}
        {last !== undefined && (
          <small class="handing-given">
            <Icon name="check" /> {given.length > 1 ? t('handedOutCount', { count: given.length }) : t('handedOut')}
            <button
              type="button"
              class="plain"
              aria-label={t('handOutUndoOf', { name })}
              onClick={() => void undoHandOut(last.client_uuid)}
            >
              {t('undo')}
            </button>
          </small>
        )}
      </span>
      {left > 0 && (
        <button
          type="button"
          class="hand"
          aria-label={t('handOutOf', { name })}
          aria-busy={handingOut.value === unit}
          onClick={() => void handOut(unit)}
        >
          {t('handOut')}
        </button>
      )}
    </li>
  );
}
