import type { CheckInPoint } from '@turnout/client';
import { CheckIcon, CloseIcon, MinusIcon, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { useReasonText, useStateText } from '../../../../parts/status.tsx';
import { DoorAnswer } from '../door-answer.tsx';
import type { Simulation } from './simulate.ts';
import type { SimulatedTicket } from './simulated-ticket.ts';
import { useWhy } from './use-why.ts';

const ICONS = { passed: CheckIcon, refused: CloseIcon, not_asked: MinusIcon } as const;

/** The answer of the door with the rule that decided, and every rule that was asked before it. */
export function SimulationResult({
  simulation: { decision, tone, rule, steps },
  ticket,
  point,
}: {
  simulation: Simulation;
  ticket: SimulatedTicket;
  point: CheckInPoint;
}) {
  const t = useWords('door');
  const textOf = useStateText();
  const reasonText = useReasonText();
  const whyOf = useWhy();
  const { dayName } = useEvent();
  const person = decision.people[0];
  return (
    <div className="stack">
      <DoorAnswer
        tone={tone}
        title={textOf('result', decision.result)}
        result={decision.result}
        admitted={decision.admitted}
      >
        {decision.reason !== null && <span>{reasonText(decision.reason)}</span>}
        {person?.day != null && <span>{t('countsFor', { day: dayName(person.day) })}</span>}
      </DoorAnswer>
      <p data-rule={rule ?? 'none'}>
        <strong>{rule === null ? t('ruleNone') : t('ruleDecided', { rule: t(`rule.${rule}`) })}</strong>{' '}
        {decision.reason === null ? t('why.none') : whyOf(decision, { ticket, point })}
      </p>
      <details className="fold small">
        <summary>{t('allRules')}</summary>
        <ol className="door-rules">
          {steps.map((step) => (
            <li key={step.rule} data-said={step.outcome}>
              <OutcomeIcon outcome={step.outcome} /> {t(`rule.${step.rule}`)}
              <span className="soft"> · {t(`said.${step.outcome}`)}</span>
            </li>
          ))}
        </ol>
      </details>
    </div>
  );
}

function OutcomeIcon({ outcome }: { outcome: keyof typeof ICONS }) {
  const Shown = ICONS[outcome];
  return <Shown />;
}
