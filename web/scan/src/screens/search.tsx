import { useEffect, useRef, useState } from 'preact/hooks';
import type { SearchResult } from '../engine/types.ts';
import { daysText, describe, momentOf, nameOf } from '../parts/answer-words.ts';
import { hold, sheet } from '../parts/door.ts';
import { DoorAnswers } from '../parts/door-answers.tsx';
import { Field } from '../parts/form.tsx';
import { lookUp } from '../parts/handing-out.ts';
import { engine } from '../parts/session.ts';
import { Sheet } from '../parts/sheet.tsx';
import { t } from '../parts/words.ts';
import { ToHandOutList } from './to-hand-out.tsx';

/** Somebody without a ticket at hand. Choosing and checking in are two steps, because two people may have nearly the same name. */
export function Search() {
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ readonly people: readonly SearchResult[]; readonly count: number } | null>(null);
  const [chosen, setChosen] = useState<SearchResult | null>(null);
  const searchCount = useRef(0);
  useEffect(() => {
    const now = ++searchCount.current;
    if (text.trim().length < 2) {
      setFound(null);
      return;
    }
    void engine.value?.search(text).then((all) => {
      if (searchCount.current !== now) return;
      setFound(all);
      setChosen((before) => all.people.find((one) => same(one, before)) ?? null);
    });
  }, [text]);
  useEffect(() => void lookUp(chosen === null ? [] : [{ ticket: chosen.key, person: chosen.person }]), [chosen]);
  const close = () => {
    sheet.value = null;
  };
  const checkIn = (one: SearchResult) => {
    close();
    void hold({ ticket_id: one.ticket_id, key: one.key }, { person: one.person });
  };
  return (
    <Sheet title={t('searchTitle')} onClose={close} tall>
      <form
        class="sheet-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== null) checkIn(chosen);
          else if (found?.people.length === 1) setChosen(found.people[0]!);
        }}
      >
        <Field
          label={t('name')}
          hint={t('searchHint')}
          value={text}
          onText={setText}
          maxLength={100}
          spellcheck={false}
          enterkeyhint="search"
          autofocus
        />
        <p class="hint" role="status">
          {found !== null && (found.count === 0 ? t('searchNothing') : t('searchFound', { count: found.count }))}
          {found !== null && found.people.length < found.count && (
            <> {t('searchShown', { count: found.people.length })}</>
          )}
        </p>
        {found?.count === 0 && (
          <button
            type="button"
            onClick={() => {
              sheet.value = 'walk-in';
            }}
          >
            {t('walkIn')}
          </button>
        )}
        <fieldset class="found">
          <legend class="hidden">{t('searchTitle')}</legend>
          {found?.people.map((one) => (
            <label key={`${one.key} ${one.person}`}>
              <input type="radio" name="found" checked={same(one, chosen)} onChange={() => setChosen(one)} />
              <span>
                <bdi>{nameOf(one)}</bdi>
                <small>{describe(one.attendee_type, one.group, daysText(one.days), one.registration)}</small>
                <DoorAnswers answers={one.answers} />
                <PersonState person={one} />
              </span>
            </label>
          ))}
        </fieldset>
        {chosen !== null && <ToHandOutList />}
        <div class="sheet-actions">
          <button type="submit" class="main" disabled={chosen === null}>
            {chosen === null ? t('checkIn') : t('checkInName', { name: nameOf(chosen) })}
          </button>
        </div>
      </form>
    </Sheet>
  );
}

const same = (one: SearchResult, other: SearchResult | null): boolean =>
  other?.key === one.key && other.person === one.person;

function PersonState({ person: { status, confirmed, inside } }: { person: SearchResult }) {
  if (status === 'voided') return <small class="mark stop">{t('result.voided')}</small>;
  if (!confirmed) return <small class="mark stop">{t('reason.not_confirmed')}</small>;
  if (inside === null) return null;
  return (
    <small class="mark look">{t('admittedAt', { when: momentOf(inside.at, Date.now()), where: inside.point })}</small>
  );
}
