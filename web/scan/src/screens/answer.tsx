import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PersonAnswer, ScanAnswer } from '../engine/types.ts';
import {
  daysText,
  describe,
  momentOf,
  nameOf,
  resultText,
  SIGNS,
  saysMore,
  shadeOf,
  shadeOfPerson,
  titleClass,
  titleOf,
  whyOf,
  whyOfPerson,
} from '../parts/answer-words.ts';
import { seesTickets } from '../parts/camera.tsx';
import {
  canBe,
  covering,
  decideAbout,
  earlier,
  type NoAnswer,
  noAnswer,
  sheet,
  shownAnswer,
  uncover,
  unknownForm,
} from '../parts/door.ts';
import { DoorAnswers } from '../parts/door-answers.tsx';
import { keepFocus } from '../parts/focus.ts';
import { toHandOut } from '../parts/handing-out.ts';
import { Icon } from '../parts/icons.tsx';
import { TestBand } from '../parts/page.tsx';
import { manifest, timezone } from '../parts/session.ts';
import { find, formats, t } from '../parts/words.ts';
import { ToHandOutList } from './to-hand-out.tsx';

/**
 * The answer to a scan. It covers the screen, and stays in a line above the buttons afterwards; it is one element all the time, so that a
 * screen reader says it once, and nothing on the screen moves when it comes and goes.
 */
export function AnswerPanel() {
  const answer = shownAnswer.value;
  const failed = noAnswer.value;
  const covers = covering.value;
  const shade = failed !== null ? 'stop' : answer === null ? 'none' : shadeOf(answer);
  const again = earlier.value && answer !== null;
  const waits = covers && (shade !== 'good' || again || toHandOut.value.length > 0);
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
      {shade === 'none' && seesTickets.value && <p class="answer-hint">{t('holdTicket')}</p>}
      <div
        class="answer-text"
        role="status"
        aria-live="assertive"
        aria-atomic="true"
        data-result={failed !== null ? 'none' : answer?.result}
        data-admitted={failed !== null ? false : answer?.admitted}
        data-reason={failed !== null ? undefined : answer?.reason}
        data-by={answer?.by}
      >
        {again && covers && (
          <p class="answer-earlier">{t('earlierScan', { when: momentOf(answer.scanned_at, Date.now()) })}</p>
        )}
        {failed !== null ? <NoAnswerDetails failure={failed} /> : answer !== null && <AnswerDetails answer={answer} />}
      </div>
      {covers && failed === null && answer !== null && <ToHandOutList />}
      {waits && <AnswerActions answer={failed === null ? answer : null} again={again} />}
    </section>
  );
}

function AnswerDetails({ answer }: { answer: ScanAnswer }) {
  const title = titleOf(answer);
  const why = whyOf(answer);
  const one = answer.people.length === 1 ? answer.people[0]! : null;
  const names = answer.people.map(nameOf).join(', ');
  return (
    <>
      <span class="answer-sign">
        <Icon name={SIGNS[shadeOf(answer)]} heavy />
      </span>
      <div class="answer-words">
        <p class={titleClass(title)}>{title}</p>
        {one !== null && <PersonDetails person={one} answer={answer} title={title} />}
        {answer.people.length > 1 && <PeopleList answer={answer} />}
        {why !== null && <p class="answer-why">{why}</p>}
        {unknownForm.value !== null && <p class="answer-type">{t(`maybe.${unknownForm.value}`)}</p>}
        {answer.notRecorded === true && <p class="answer-why">{t('notRecordedTitle')}</p>}
        {answer.test && <p class="answer-test">{t('testAnswer')}</p>}
      </div>
      <p class="answer-short" aria-hidden="true">
        <bdi>{names}</bdi> <span>{formats().time(answer.scanned_at, timezone.value)}</span>
      </p>
    </>
  );
}

function PersonDetails({ person, answer, title }: { person: PersonAnswer; answer: ScanAnswer; title: string }) {
  const why = whyOfPerson(person, answer);
  return (
    <>
      <p class="answer-name">
        <bdi>{nameOf(person)}</bdi>
      </p>
      {saysMore(why, title) && <p class="answer-why">{why}</p>}
      <p class="answer-type">{describe(person.attendee_type, person.group, daysText(person.days))}</p>
      <DoorAnswers answers={person.answers} class="answer-type" />
    </>
  );
}

function PeopleList({ answer }: { answer: ScanAnswer }) {
  return (
    <ul class="answer-people">
      {answer.people.map((one) => {
        const word = resultText(one.result, one.admitted);
        const why = whyOfPerson(one, answer);
        const shade = shadeOfPerson(one);
        return (
          <li key={one.id} class={shade} data-result={one.result}>
            <Icon name={SIGNS[shade]} heavy />
            <span>
              <bdi class="answer-name">{nameOf(one)}</bdi>
              <span class="answer-each">
                {word}
                {saysMore(why, word) && `. ${why}`}
              </span>
              <span class="answer-type">{describe(one.attendee_type, one.group)}</span>
              <DoorAnswers answers={one.answers} class="answer-type" />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** A scan that has no answer: nobody may be let in because of it, and what to do instead. */
function NoAnswerDetails({ failure: { fault, code } }: { failure: NoAnswer }) {
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
function AnswerActions({ answer, again }: { answer: ScanAnswer | null; again: boolean }) {
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
  const verdicts = (['override', 'undo'] as const).filter(
    (verdict) => answer !== null && canBe(verdict, answer) && (verdict === 'override' || again),
  );
  return (
    <div class="answer-actions">
      <button type="button" ref={next} class="next" onClick={uncover}>
        {again ? t('close') : t('next')}
      </button>
      {verdicts.map((verdict) => (
        <button key={verdict} type="button" class="quiet" onClick={() => decideAbout(answer!, verdict)}>
          {t(verdict)}
        </button>
      ))}
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
