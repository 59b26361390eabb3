import { useState } from 'preact/hooks';
import type { PeopleQuestion } from '../engine/types.ts';
import { describe, momentOf } from '../parts/answer-words.ts';
import { expected, hold, missed, question } from '../parts/door.ts';
import { DoorAnswers } from '../parts/door-answers.tsx';
import { Notice } from '../parts/form.tsx';
import { Sheet } from '../parts/sheet.tsx';
import { t } from '../parts/words.ts';

/**
 * A ticket of several people: who of them is here? Nothing is written before it is answered. Whoever is inside already is not ticked.
 * `closed`: they cannot be ticked either, where nobody stands by who could decide about them.
 */
export function PeopleSheet({ peopleQuestion, closed = false }: { peopleQuestion: PeopleQuestion; closed?: boolean }) {
  const notInside = peopleQuestion.people.filter(({ inside }) => inside === null).map(({ id }) => id);
  const [here, setHere] = useState<ReadonlySet<string>>(
    () => new Set(expected.value === null ? notInside : [expected.value]),
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
          void hold(peopleQuestion.target, {
            people: peopleQuestion.people.map(({ id }) => id).filter((id) => here.has(id)),
          });
        }}
      >
        <div role="alert">{missed.value && <Notice tone="warn">{t('whoMissed')}</Notice>}</div>
        <fieldset class="who">
          <legend>
            {peopleQuestion.registration !== null && (
              <span class="who-registration">{t('whoRegistration', { code: peopleQuestion.registration })} </span>
            )}
            {notInside.length < peopleQuestion.people.length
              ? t('whoRest', {
                  count: peopleQuestion.people.length - notInside.length,
                  all: peopleQuestion.people.length,
                })
              : peopleQuestion.registration === null && t('whoLead')}
          </legend>
          {peopleQuestion.people.map((one) => (
            <label key={one.id}>
              <input
                type="checkbox"
                checked={here.has(one.id)}
                disabled={closed && one.inside !== null}
                onChange={() => toggle(one.id)}
              />
              <span>
                <bdi>{`${one.first_name} ${one.last_name}`.trim()}</bdi>
                <small>{describe(one.attendee_type, one.group)}</small>
                <DoorAnswers answers={one.answers} />
                {one.inside !== null && (
                  <small class="mark look">
                    {t('admittedAt', { when: momentOf(one.inside.at, Date.now()), where: one.inside.point })}
                  </small>
                )}
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
