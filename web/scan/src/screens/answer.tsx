import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Told, ToldPerson } from '../engine/types.ts';
import {
  momentOf,
  nameOf,
  resultText,
  SIGNS,
  saysMore,
  shadeOf,
  titleClass,
  titleOf,
  whyOf,
  whyOfPerson,
} from '../parts/answer-words.ts';
import {
  answer,
  canDecide,
  covering,
  decideAbout,
  earlier,
  isUndoable,
  type NoAnswer,
  noAnswer,
  sheet,
  uncover,
  unknownForm,
} from '../parts/door.ts';
import { keepFocus } from '../parts/focus.ts';
import { Icon } from '../parts/icons.tsx';
import { TestBand } from '../parts/page.tsx';
import { manifest, timezone } from '../parts/session.ts';
import { find, formats, t } from '../parts/words.ts';

/**
 * The answer to a scan. It covers the screen, and stays in a line above the buttons afterwards; it is one element all the time, so that a
 * screen reader says it once, and nothing on the screen moves when it comes and goes.
 */
export function Answer() {
  const told = answer.value;
  const failed = noAnswer.value;
  const covers = covering.value;
  const shade = failed !== null ? 'stop' : told === null ? 'none' : shadeOf(told);
  const again = earlier.value && told !== null;
  const waits = covers && (shade !== 'good' || again);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button "Next" does the same, and Escape.
    <section
      class={`answer ${covers ? 'covers' : 'line'} ${shade}${again ? ' earlier' : ''}`}
      aria-label={t('answer')}
      onClick={(event) => {
        if (covers && (event.target as Element).closest('button') === null) uncover();
      }}
    >
      {covers && <TestBand />}
      {shade === 'none' && <p class="answer-hint">{t('holdTicket')}</p>}
      <div
        class="answer-text"
        role="status"
        aria-live="assertive"
        aria-atomic="true"
        data-result={failed !== null ? 'none' : told?.result}
        data-admitted={failed !== null ? false : told?.admitted}
        data-reason={failed !== null ? undefined : told?.reason}
        data-by={told?.by}
      >
        {again && covers && (
          <p class="answer-earlier">{t('earlierScan', { when: momentOf(told.scanned_at, Date.now()) })}</p>
        )}
        {failed !== null ? <Failed of={failed} /> : told !== null && <Whole told={told} />}
      </div>
      {waits && <Actions told={failed === null ? told : null} again={again} />}
    </section>
  );
}

function Whole({ told }: { told: Told }) {
  const title = titleOf(told);
  const why = whyOf(told);
  const one = told.people.length === 1 ? told.people[0]! : null;
  const names = told.people.map(nameOf).join(', ');
  return (
    <>
      <span class="answer-sign">
        <Icon name={SIGNS[shadeOf(told)]} heavy />
      </span>
      <div class="answer-words">
        <p class={titleClass(title)}>{title}</p>
        {one !== null && <One of={one} told={told} title={title} />}
        {told.people.length > 1 && <Several told={told} />}
        {why !== null && <p class="answer-why">{why}</p>}
        {unknownForm.value !== null && <p class="answer-type">{t(`maybe.${unknownForm.value}`)}</p>}
        {told.test && <p class="answer-test">{t('testAnswer')}</p>}
      </div>
      <p class="answer-short" aria-hidden="true">
        <bdi>{names}</bdi> <span>{formats().time(told.scanned_at, timezone.value)}</span>
      </p>
    </>
  );
}

function One({ of: one, told, title }: { of: ToldPerson; told: Told; title: string }) {
  const why = whyOfPerson(one, told);
  return (
    <>
      <p class="answer-name">
        <bdi>{nameOf(one)}</bdi>
      </p>
      {saysMore(why, title) && <p class="answer-why">{why}</p>}
      <p class="answer-type">
        {[one.attendee_type, one.group, formats().list(one.days)]
          .filter((part) => part !== null && part !== '')
          .join(' · ')}
      </p>
    </>
  );
}

function Several({ told }: { told: Told }) {
  return (
    <ul class="answer-people">
      {told.people.map((one) => {
        const word = resultText(one.result, one.admitted);
        const why = whyOfPerson(one, told);
        return (
          <li key={one.id} class={one.admitted ? 'good' : 'stop'} data-result={one.result}>
            <Icon name={one.admitted ? 'check' : 'cross'} heavy />
            <span>
              <bdi class="answer-name">{nameOf(one)}</bdi>
              <span class="answer-each">
                {word}
                {saysMore(why, word) && `. ${why}`}
              </span>
              <span class="answer-type">{one.attendee_type}</span>
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** A scan that has no answer: nobody may be let in because of it, and what to do instead. */
function Failed({ of: { fault, code } }: { of: NoAnswer }) {
  const text = find(`noAnswer.${fault}`) ?? t('noAnswer.failed');
  return (
    <>
      <span class="answer-sign">
        <Icon name="cross" heavy />
      </span>
      <div class="answer-words">
        <p class="answer-title">{t('noAnswer')}</p>
        <p class="answer-why">{text}</p>
        {code !== null && <p class="answer-type">{code}</p>}
      </div>
    </>
  );
}

/** At the bottom, where a thumb is. The way on has the focus, so that Enter is enough. */
function Actions({ told, again }: { told: Told | null; again: boolean }) {
  const next = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const giveBack = keepFocus();
    next.current?.focus();
    const onEscape = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && sheet.value === null) uncover();
    };
    addEventListener('keydown', onEscape);
    return () => {
      removeEventListener('keydown', onEscape);
      giveBack();
    };
  }, []);
  const overridable = told !== null && canDecide(told) && told.people.some((one) => !one.admitted);
  const decidable = overridable || (again && told !== null && isUndoable(told));
  return (
    <div class="answer-actions">
      <button type="button" ref={next} class="next" onClick={uncover}>
        {again ? t('close') : t('next')}
      </button>
      {decidable && (
        <button type="button" class="quiet" onClick={() => decideAbout(told)}>
          {overridable ? t('override') : t('undo')}
        </button>
      )}
      {unknownForm.value !== null && manifest.value?.event.door.name_search === true && (
        <button
          type="button"
          class="quiet"
          onClick={() => {
            uncover();
            sheet.value = 'search';
          }}
        >
          {t('searchShort')}
        </button>
      )}
    </div>
  );
}
