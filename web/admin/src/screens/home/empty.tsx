import { rich, Section, useWords } from '@turnout/ui';
import { useCall } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { CreateEvent } from './create-event.tsx';

const STEPS = ['create', 'publish', 'share'] as const;

/** What belongs here, as the three steps that lead to the first registration, and where one can look around before. */
export function Empty() {
  const t = useWords('home');
  const { may } = useOrganization();
  return (
    <Section title={t('emptyTitle')}>
      <ol className="first-steps">
        {STEPS.map((step) => (
          <li key={step}>
            <h3>{t(`step.${step}`)}</h3>
            <p className="soft">{t(`stepText.${step}`)}</p>
            {step === 'create' && <CreateEvent />}
          </li>
        ))}
      </ol>
      {!may('events.write') && <p className="soft">{t('emptyAsk')}</p>}
      <SandboxHint />
    </Section>
  );
}

/** The sandbox's own link is a secret that whoever started the installation has; its registration page is public. */
function SandboxHint() {
  const t = useWords('home');
  const { organization } = useOrganization();
  const { data } = useCall('getSignInMethods', {});
  if (data?.sandbox !== true || organization.sandbox) return null;
  return <p className="soft small">{rich(t('emptySandbox'), { page: (inner) => <a href="/o/sandbox">{inner}</a> })}</p>;
}
