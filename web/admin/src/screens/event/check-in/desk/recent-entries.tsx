import { registrationCodeIn, ticketCodeIn } from '@turnout/checkin';
import { Notice, ProblemNotice, useWords } from '@turnout/ui';
import { StateBadge } from '../../../../parts/status.tsx';
import { type DeskEntry, decisionOf } from './desk-answer.tsx';
import type { FindResult } from './use-find.ts';

/** Whom the desk had before, to look at again: “just now there was …”. */
export function RecentEntries({
  entries,
  shown,
  onOpen,
}: {
  entries: readonly DeskEntry[];
  shown: number | undefined;
  onOpen: (key: number) => void;
}) {
  const t = useWords('desk');
  if (entries.length === 0) return <p className="soft desk-help">{t('help')}</p>;
  return (
    <section aria-labelledby="desk-just">
      <h2 className="desk-small-title" id="desk-just">
        {t('justNow')}
      </h2>
      <ul className="desk-list desk-just">
        {entries.map((one) => (
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
                  one.attendee !== null && <StateBadge kind="registration" value={one.attendee.status} />
                ) : (
                  <StateBadge kind="result" value={decisionOf(one.answer, one.attendee?.id).result} />
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
export function NoMatch({ found, text }: { found: FindResult; text: string }) {
  const t = useWords('desk');
  if (found.error !== null) return <ProblemNotice problem={found.error} />;
  if (!found.isCurrent) return <p className="soft desk-help">{t('searching')}</p>;
  const isCode = (ticketCodeIn(text) ?? registrationCodeIn(text)) !== null;
  return <p className="soft desk-help">{t(isCode ? 'nobodyByCode' : 'nobodyNamed', { text })}</p>;
}

/** Somebody new who is not checked in yet, and why. */
export function WalkInNotice({ entry }: { entry: DeskEntry }) {
  const t = useWords('desk');
  const isConfirmed = entry.attendee?.status === 'confirmed';
  return (
    <>
      <Notice tone={isConfirmed ? 'good' : 'warn'} title={t('wasRegistered')}>
        {t(isConfirmed ? 'notCheckedInYet' : 'notConfirmedYet')}
      </Notice>
      <ProblemNotice problem={entry.problem} />
    </>
  );
}
