import { Button, Notice, PlainPage, ProblemNotice, useWords } from '@turnout/ui';
import { useAction } from '../frame/action.ts';
import { call, useCall } from '../frame/api.ts';
import { useArrive } from './sign-in/arrive.ts';
import { Languages } from './sign-in/languages.tsx';
import { useToken } from './sign-in/token.ts';
import './sign-in/sign-in.css';

export default function SandboxScreen() {
  const t = useWords('link');
  const token = useToken('sandbox');
  const arrive = useArrive();
  const { data: account } = useCall('getAccount', {});
  const enter = useAction((given: string, { key }: { key: string }) =>
    call('signInToSandbox', { body: { token: given } }, { key }),
  );
  if (token === null)
    return <PlainPage title={t('linkMissing')} lead={t('sandboxMissingText')} footer={<Languages />} />;
  const go = async () => {
    const reply = await enter.run(token);
    if (reply !== undefined) await arrive(reply);
  };
  return (
    <PlainPage title={t('sandboxTitle')} lead={t('sandboxText')} footer={<Languages />}>
      {account !== undefined && !account.sandbox && (
        <Notice tone="warn">{t('sandboxInstead', { email: account.email })}</Notice>
      )}
      <Button kind="main" wide autoFocus busy={enter.busy} onClick={go}>
        {t('sandboxEnter')}
      </Button>
      <ProblemNotice problem={enter.problem} />
      <p className="centre soft small">{t('sandboxShared')}</p>
    </PlainPage>
  );
}
