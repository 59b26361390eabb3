import { registrationCodeIn, ticketCodeIn } from '@turnout/checkin';
import { Notice, ProblemNotice, useWords } from '@turnout/ui';
import { State } from '../../parts/status.tsx';
import { decisionOf, type Served } from './answer.tsx';
import type { Found } from './use-find.ts';

/** Whom the desk had before, to look at again: “just now there was …”. */
export function JustServed({
  of,
  shown,
  onOpen,
}: {
  of: readonly Served[];
  shown: number | undefined;
  onOpen: (key: number) => void;
}) {
  const t = useWords('desk');
  if (of.length === 0) return <p className="soft desk-help">{t('help')}</p>;
  return (
    <section aria-labelledby="desk-just">
      <h2 className="desk-small-title" id="desk-just">
        {t('justNow')}
      </h2>
      <ul className="desk-list desk-just">
        {of.map((one) => (
          <li key={one.key}>
            <button
              type="button"
              className="desk-row"
              aria-current={one.key === shown || undefined}
              onClick={() => onOpen(one.key)}
            >
              <span className="desk-row-name clip">
                <bdi>{one.name || t('unknownCode')}</bdi>
              </span>
              <span className="desk-row-state">
                {one.corrected !== undefined ? (
                  <span className="soft small">{t(one.corrected)}</span>
                ) : one.answer === null ? (
                  one.attendee !== null && <State of="registration" is={one.attendee.status} />
                ) : (
                  <State of="result" is={decisionOf(one.answer, one.attendee?.id).result} />
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Nobody is found, not yet, or never will be because the server cannot be reached. */
export function Nobody({ found, text }: { found: Found; text: string }) {
  const t = useWords('desk');
  if (found.error !== null) return <ProblemNotice problem={found.error} />;
  if (!found.isCurrent) return <p className="soft desk-help">{t('searching')}</p>;
  const isCode = (ticketCodeIn(text) ?? registrationCodeIn(text)) !== null;
  return <p className="soft desk-help">{t(isCode ? 'nobodyByCode' : 'nobodyNamed', { text })}</p>;
}

/** Somebody new who is not checked in yet, and why. */
export function Registered({ of }: { of: Served }) {
  const t = useWords('desk');
  const isConfirmed = of.attendee?.status === 'confirmed';
  return (
    <>
      <Notice tone={isConfirmed ? 'good' : 'warn'} title={t('wasRegistered')}>
        {t(isConfirmed ? 'notCheckedInYet' : 'notConfirmedYet')}
      </Notice>
      <ProblemNotice problem={of.problem} />
    </>
  );
}
