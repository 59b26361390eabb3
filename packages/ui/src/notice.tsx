import { Problem } from '@turnout/client';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { CopyButton } from './copy.tsx';
import type { Tone } from './tone.ts';
import { useAllWords, useWords } from './words.tsx';

/** Something to know, beside what it is about. `bad` and `warn` are read out at once. */
export function Notice({ tone, title, children }: { tone?: Tone; title?: ReactNode; children?: ReactNode }) {
  return (
    <div className="notice" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      {title !== undefined && <strong>{title}</strong>}
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}

/** What the app offers to do about a problem, such as signing in again. */
export const ProblemHelp = createContext<(problem: Problem) => ReactNode>(() => null);

/** A problem in words of the person's language, with the number of the request to copy. */
export function ProblemNotice({ problem, children }: { problem: unknown; children?: ReactNode }) {
  const text = useProblemText(problem);
  const help = useContext(ProblemHelp);
  if (problem === null || problem === undefined || text === null) return null;
  return (
    <div className="notice" data-tone="bad" role="alert">
      <div>{text}</div>
      {children}
      {problem instanceof Problem && help(problem)}
      {problem instanceof Problem && problem.requestId !== null && <RequestId id={problem.requestId} />}
    </div>
  );
}

export function RequestId({ id }: { id: string }) {
  const t = useWords('common');
  return (
    <div className="request-id">
      <span>
        {t('requestId')} <code>{id}</code>
      </span>
      <CopyButton text={id} what={t('requestId')} kind="link" />
    </div>
  );
}

/** Their messages name headers, permissions and fields of the body. */
const SAID_TO_PROGRAMS: ReadonlySet<string> = new Set(['validation_failed', 'sign_in_required', 'permission_required']);

/** What a problem says: by its code in the catalogue of refusals, else as the server put it. Null while the words are loading. */
export function useProblemText(problem: unknown): string | null {
  const words = useAllWords();
  const [ready, setReady] = useState(() => words.find('refusals', 'internal_error') !== null);
  const hasProblem = problem !== null && problem !== undefined;
  useEffect(() => {
    if (!hasProblem) return;
    let isMounted = true;
    const done = () => isMounted && setReady(true);
    words.need('refusals').then(done, done);
    return () => {
      isMounted = false;
    };
  }, [words, hasProblem]);
  if (!hasProblem || !ready) return null;
  if (!(problem instanceof Problem)) return words.find('refusals', 'internal_error');
  // The server's own message is more exact than a general one, and English, but some it writes for programs.
  const isForPrograms = SAID_TO_PROGRAMS.has(problem.code) || problem.status === 412;
  if (words.language === 'en' && problem.status >= 400 && !isForPrograms && problem.retryAfter === null)
    return problem.message;
  const wait = problem.retryAfter ?? 60;
  const unit = wait < 90 ? 'second' : 'minute';
  const values = {
    wait: words.formats.number(unit === 'second' ? wait : Math.ceil(wait / 60), {
      style: 'unit',
      unit,
      unitDisplay: 'long',
    }),
  };
  return words.find('refusals', problem.code, values) ?? problem.message;
}
