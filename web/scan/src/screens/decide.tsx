import { useEffect, useState } from 'preact/hooks';
import { withDecision } from '../engine/scan-answers.ts';
import type { PersonAnswer, ScanAnswer } from '../engine/types.ts';
import { nameOf, resultText } from '../parts/answer-words.ts';
import { earlier, isOpenTo, sheet, showAgain, tell, type Verdict } from '../parts/door.ts';
import { Field, Notice } from '../parts/form.tsx';
import { codeOf, engine, faultOf, news, status } from '../parts/session.ts';
import { Sheet } from '../parts/sheet.tsx';
import { unlocked, useUnlocking } from '../parts/unlock.tsx';
import { find, t } from '../parts/words.ts';

/**
 * Admitting somebody who was refused, or taking an admission back. It is a decision of a member, who types a PIN; the server has to know
 * who decided, so it cannot be done without it.
 */
export function Decide({ answer: shownAnswer, verdict }: { answer: ScanAnswer; verdict: Verdict }) {
  const answer = useRecorded(shownAnswer);
  const choices = answer.people.flatMap((one) => {
    const made = answer.checkins.find(({ attendee_id }) => attendee_id === one.id);
    // What is on record may differ from what this device had told; there is nothing to decide about that here.
    const fits = made !== undefined && made.admitted === one.admitted && isOpenTo(verdict, one);
    return fits ? [{ one, checkin: made.id }] : [];
  });
  const title = verdict === 'override' ? t('overrideTitle') : t('undoTitle');
  const close = () => {
    sheet.value = null;
  };
  return (
    <Sheet title={title} onClose={close}>
      {choices.length === 0 || status.value?.connection !== 'online' ? (
        <div class="sheet-form">
          <Notice tone="warn" title={t('needsServer')}>
            {answer.checkins.length === 0
              ? t('needsServerScan')
              : choices.length === 0
                ? t('decideOtherwise')
                : t('needsServerText')}
          </Notice>
        </div>
      ) : (
        <Decision answer={answer} choices={choices} override={verdict === 'override'} onDone={close} />
      )}
    </Sheet>
  );
}

/** A scan that was decided without the server has its check-ins once it was sent, which may be while the sheet is open. */
function useRecorded(shownAnswer: ScanAnswer): ScanAnswer {
  const [answer, setAnswer] = useState(shownAnswer);
  const scanner = engine.value;
  const version = news.value;
  useEffect(() => {
    if (answer.checkins.length > 0 || version < 0) return;
    void scanner?.lastScans().then((scans) => {
      const parts = answer.parts ?? [answer.client_uuid];
      const made = scans.filter((one) => parts.includes(one.told.client_uuid)).flatMap((one) => one.told.checkins);
      if (made.length > 0) setAnswer({ ...answer, checkins: made });
    });
  }, [scanner, version, answer]);
  return answer;
}

interface Props {
  readonly answer: ScanAnswer;
  readonly choices: readonly { readonly one: PersonAnswer; readonly checkin: string }[];
  readonly override: boolean;
  readonly onDone: () => void;
}

function Decision({ answer, choices, override, onDone }: Props) {
  const [person, setPerson] = useState(choices[0]!.one.id);
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [working, setWorking] = useState(false);
  const unlocking = useUnlocking();
  useEffect(() => setFault(null), [reason, person]);
  const decide = async () => {
    const scanner = engine.value!;
    const { checkin } = choices.find(({ one }) => one.id === person)!;
    if (!(await unlocking.unlock())) return;
    // Seen before anything is awaited: the answer of another scan may come meanwhile.
    const again = earlier.value;
    const now = await (override ? scanner.override(checkin, reason.trim()) : scanner.undo(checkin, reason.trim()));
    onDone();
    const after = withDecision(answer, person, override, now);
    if (override && !again) tell(after);
    else showAgain(after);
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    if (working) return;
    if (reason.trim() === '') return setFault(t('reasonMissing'));
    setWorking(true);
    try {
      await decide();
    } catch (error) {
      if (codeOf(error) === 'permission_required') unlocked.value = null;
      setFault(find(`decideFault.${codeOf(error) ?? faultOf(error)}`) ?? (error as Error).message);
    } finally {
      setWorking(false);
    }
  };
  const suggestions = override
    ? (['reasonKnown', 'reasonMistake'] as const)
    : (['reasonWrongPerson', 'reasonMistake'] as const);
  return (
    <form class="sheet-form" onSubmit={(event) => void submit(event)}>
      {choices.length === 1 ? (
        <p class="decide-who">
          <bdi>{nameOf(choices[0]!.one)}</bdi>{' '}
          <small>{resultText(choices[0]!.one.result, choices[0]!.one.admitted)}</small>
        </p>
      ) : (
        <fieldset class="found">
          <legend>{t('decideWho')}</legend>
          {choices.map(({ one }) => (
            <label key={one.id}>
              <input type="radio" name="person" checked={one.id === person} onChange={() => setPerson(one.id)} />
              <span>
                <bdi>{nameOf(one)}</bdi>
                <small>{resultText(one.result, one.admitted)}</small>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {unlocking.fields}
      <Field label={t('reason')} value={reason} onText={setReason} fault={fault} maxLength={500} />
      <div class="suggestions">
        {suggestions.map((key) => (
          <button key={key} type="button" class="small" onClick={() => setReason(t(key))}>
            {t(key)}
          </button>
        ))}
      </div>
      <div class="sheet-actions">
        <button type="submit" class="main" aria-busy={working}>
          {override ? t('override') : t('undo')}
        </button>
      </div>
    </form>
  );
}
