import { Problem } from '@turnout/client';
import { Button, Page, PlainPage, ProblemNotice, RequestId, useWords } from '@turnout/ui';
import { Component, type ReactNode, useContext, useEffect, useState } from 'react';
import { InShell } from './in-shell.ts';
import { noteRequest, report } from './report.ts';
import { signInAddress } from './then.ts';

/** The page of a failure. It has the heading and navigation of the shell inside the shell, and stands alone outside of it. */
function FailurePage(props: { title: string; lead?: string; children: ReactNode }) {
  return useContext(InShell) ? <Page narrow {...props} /> : <PlainPage {...props} />;
}

/** What a screen shows in place of itself when something is in the way. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  if (error instanceof Problem) {
    noteRequest(error.requestId);
    if (error.code === 'sign_in_required') return <SignInPage />;
    if (error.code === 'second_factor_required') return <SecondFactorPage />;
    if (error.unanswered) return <OfflinePage retry={retry} />;
    if (error.status === 404) return <NotFound />;
    return <RefusalPage problem={error} retry={retry} />;
  }
  if (isGone(error)) return <NewVersion />;
  return <CrashPage error={error} retry={retry} />;
}

/** A part of the app could not be loaded. After an update of the server, an open page asks for files of the version before. */
const isGone = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|Importing a module script failed|preload/i.test(error.message);

function NewVersion() {
  const t = useWords('common');
  return (
    <FailurePage title={t('newVersionTitle')} lead={t('newVersionText')}>
      <div className="buttons">
        <Button kind="main" onClick={() => location.reload()}>
          {t('reload')}
        </Button>
      </div>
    </FailurePage>
  );
}

export function NotFound() {
  const t = useWords('common');
  return (
    <FailurePage title={t('notFoundTitle')} lead={t('notFoundText')}>
      <div className="buttons">
        <a className="button" href="/app">
          {t('toStart')}
        </a>
      </div>
    </FailurePage>
  );
}

/** The session has ended, here or elsewhere. */
export function SignInPage() {
  const t = useWords('common');
  return (
    <FailurePage title={t('signedOutTitle')} lead={t('signedOutText')}>
      <div className="buttons">
        <a className="button" data-kind="main" href={signInAddress(location)}>
          {t('signIn')}
        </a>
      </div>
    </FailurePage>
  );
}

function SecondFactorPage() {
  const t = useWords('common');
  return (
    <FailurePage title={t('secondFactorTitle')} lead={t('secondFactorText')}>
      <div className="buttons">
        <a className="button" data-kind="main" href="/app/-/account?part=sign-in">
          {t('navAccount')}
        </a>
        <a className="button" href={signInAddress(location)}>
          {t('signIn')}
        </a>
      </div>
    </FailurePage>
  );
}

function OfflinePage({ retry }: { retry: () => void }) {
  const t = useWords('common');
  useEffect(() => {
    window.addEventListener('online', retry);
    return () => window.removeEventListener('online', retry);
  }, [retry]);
  return (
    <FailurePage title={t('unreachableTitle')} lead={t('unreachableText')}>
      <div className="buttons">
        <Button kind="main" onClick={retry}>
          {t('retry')}
        </Button>
      </div>
    </FailurePage>
  );
}

function RefusalPage({ problem, retry }: { problem: Problem; retry: () => void }) {
  const t = useWords('common');
  return (
    <FailurePage title={problem.status === 403 ? t('refusedTitle') : t('failedTitle')}>
      <ProblemNotice problem={problem} />
      <div className="buttons">
        <Button onClick={retry}>{t('retry')}</Button>
        <a className="button" data-kind="quiet" href="/app">
          {t('toStart')}
        </a>
      </div>
    </FailurePage>
  );
}

function CrashPage({ error, retry }: { error: unknown; retry: () => void }) {
  const t = useWords('common');
  const [request, setRequest] = useState<string | null>(null);
  useEffect(() => {
    let here = true;
    void report(error).then((id) => here && setRequest(id));
    return () => {
      here = false;
    };
  }, [error]);
  return (
    <FailurePage title={t('failedTitle')} lead={t('failedText')}>
      {request !== null && <RequestId id={request} />}
      <div className="buttons">
        <Button kind="main" onClick={retry}>
          {t('retry')}
        </Button>
        <a className="button" data-kind="quiet" href="/app">
          {t('toStart')}
        </a>
      </div>
    </FailurePage>
  );
}

/** Catches what a screen throws while it is drawn, so that nobody sees a blank page. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: null as unknown };
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    if (this.state.error === null) return this.props.children;
    return <Failure error={this.state.error} retry={() => this.setState({ error: null })} />;
  }
}
