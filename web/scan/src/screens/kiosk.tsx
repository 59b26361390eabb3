import { LANGUAGES, type Language } from '@turnout/words/scanner';
import { useEffect, useState } from 'preact/hooks';
import type { ScanAnswer } from '../engine/types.ts';
import { SIGNS, shadeOf, titleClass } from '../parts/answer-words.ts';
import { Camera } from '../parts/camera.tsx';
import { busy, covering, hold, listening, noAnswer, question, shownAnswer } from '../parts/door.ts';
import { Icon } from '../parts/icons.tsx';
import { TouchNeeded } from '../parts/notices.tsx';
import { TestBand } from '../parts/page.tsx';
import { point, stopped } from '../parts/session.ts';
import { stayAwake } from '../parts/wake.ts';
import { findIn, languageNow, readAll, t } from '../parts/words.ts';
import { KioskPeopleSheet } from './kiosk-who.tsx';
import { LeaveKiosk } from './leave-kiosk.tsx';

/** How long the words stay in one language. */
const TURN_MS = 4000;

/**
 * A device that people hold their own tickets to. It shows first names only, and only of the ticket that is held to it: no lists, no
 * counts, no search. Answers go away by themselves, because nobody stands beside it to tap.
 */
export function Kiosk() {
  const [ready, setReady] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const language = useTurns();
  useEffect(() => void readAll().then(() => setReady(true)), []);
  useEffect(() => stayAwake(), []);
  useEffect(() => noWayBack(), []);
  useEffect(() => fillScreen(), []);
  if (!ready) return <main class="starting">{t('starting')}</main>;
  const closed = stopped.value !== null || point.value === null;
  return (
    <div class="kiosk">
      <header class="kiosk-head">
        <TestBand />
      </header>
      <main class="kiosk-view">
        <h1 class="kiosk-words" lang={language}>
          {findIn(language, closed ? 'kioskClosed' : 'kioskHold')}
        </h1>
        {!closed && (
          <Camera
            facing="user"
            onCode={(code, otherwise) => void hold({ code }, { otherwise })}
            listening={listening.value && !leaving}
          />
        )}
        <p class="scan-busy" role="status" data-busy={busy.value}>
          {busy.value && t('checking')}
        </p>
        <TouchNeeded />
      </main>
      <footer class="kiosk-foot">
        <button type="button" class="plain" onClick={() => setLeaving(true)}>
          {t('kioskStaff')}
        </button>
      </footer>
      <KioskAnswer />
      {question.value !== null && (
        <KioskPeopleSheet key={JSON.stringify(question.value.target)} peopleQuestion={question.value} />
      )}
      {leaving && <LeaveKiosk onClose={() => setLeaving(false)} />}
    </div>
  );
}

/** The button "back" of the device leads to the kiosk again, not to what was open before it. */
function noWayBack(): () => void {
  const stay = () => {
    if (history.state?.kiosk !== true) history.pushState({ kiosk: true }, '');
  };
  stay();
  addEventListener('popstate', stay);
  return () => removeEventListener('popstate', stay);
}

/**
 * Takes the whole screen, so that nobody reaches the bars of the browser. A browser allows it only after a tap: the one that began the
 * kiosk, or the next one if the page was loaded again.
 */
function fillScreen(): () => void {
  const fill = () => {
    if (document.fullscreenElement === null) document.documentElement.requestFullscreen?.().catch(() => undefined);
  };
  fill();
  addEventListener('click', fill);
  return () => {
    removeEventListener('click', fill);
    if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined);
  };
}

/** The languages one after the other, beginning with that of the device. */
function useTurns(): Language {
  const all = [languageNow(), ...LANGUAGES.filter((one) => one !== languageNow())];
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((before) => before + 1), TURN_MS);
    return () => clearInterval(timer);
  }, []);
  return all[turn % all.length]!;
}

/** The word in the language of the device, and smaller in the others. */
function KioskAnswer() {
  const answer = shownAnswer.value;
  const failed = noAnswer.value !== null;
  if (!covering.value || (answer === null && !failed)) return <KioskShell shade="none" answer={null} keys={null} />;
  if (failed || answer === null) return <KioskShell shade="stop" answer={null} keys={['noAnswer', 'kioskDesk']} />;
  const shade = shadeOf(answer);
  if (shade === 'open') return <KioskShell shade={shade} answer={answer} keys={['notJudged', 'kioskDesk']} />;
  if (isFamily(answer)) {
    const keys = answer.admitted
      ? ([`result.${answer.people.find((one) => one.admitted)!.result}`, 'kioskRestIn'] as const)
      : ([`result.${answer.result}`, 'kioskAllIn'] as const);
    return <KioskShell shade={answer.admitted ? 'good' : shade} answer={answer} keys={keys} />;
  }
  if (shade === 'mixed') return <KioskShell shade={shade} answer={answer} keys={['kioskSome', 'kioskDesk']} />;
  return (
    <KioskShell
      shade={shade}
      answer={answer}
      keys={[`result.${answer.result}`, shade === 'good' ? `kioskGood.${answer.point_kind}` : 'kioskDesk']}
    />
  );
}

/** A ticket of several that is held up again: whoever was in already needs nobody's help. */
const isFamily = ({ people }: ScanAnswer): boolean =>
  people.length > 1 &&
  people.every((one) => one.admitted || one.result === 'duplicate') &&
  people.some((one) => !one.admitted);

interface ShellProps {
  readonly shade: keyof typeof SIGNS | 'none';
  readonly answer: ScanAnswer | null;
  /** The keys of the word and of what to do. */
  readonly keys: readonly [string, string] | null;
}

function KioskShell({ shade, answer, keys }: ShellProps) {
  const others = LANGUAGES.filter((one) => one !== languageNow());
  const say = (language: Language, key: string) =>
    findIn(language, key) ?? findIn(language, answer?.admitted === true ? 'result.accepted' : 'result.rejected') ?? '';
  const names =
    answer !== null && shade === 'good'
      ? answer.people
          .filter((one) => one.admitted)
          .map((one) => one.first_name)
          .join(', ')
      : '';
  return (
    <section class={`answer kiosk-answer ${keys === null ? 'line' : 'covers'} ${shade}`} aria-label={t('answer')}>
      {keys !== null && <TestBand />}
      <div
        class="answer-text"
        role="status"
        aria-live="assertive"
        aria-atomic="true"
        data-result={answer?.result ?? (keys === null ? undefined : 'none')}
        data-admitted={answer?.admitted ?? (keys === null ? undefined : false)}
      >
        {keys !== null && shade !== 'none' && (
          <>
            <span class="answer-sign">
              <Icon name={SIGNS[shade]} heavy />
            </span>
            <div class="answer-words">
              <p class={titleClass(say(languageNow(), keys[0]))}>{say(languageNow(), keys[0])}</p>
              {names !== '' && (
                <p class="answer-name">
                  <bdi>{names}</bdi>
                </p>
              )}
              <p class="answer-why">{say(languageNow(), keys[1])}</p>
              {others.map((language) => (
                <p key={language} class="kiosk-other" lang={language}>
                  <strong>{say(language, keys[0])}.</strong> {say(language, keys[1])}
                </p>
              ))}
            </div>
          </>
        )}
      </div>
    </section>
  );
}
