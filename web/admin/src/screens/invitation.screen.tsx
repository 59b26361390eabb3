import { Link } from '@tanstack/react-router';
import { Problem, type SignedIn } from '@turnout/client';
import { PlainPage, ProblemNotice, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useCall } from '../frame/api.ts';
import { useArrive } from './sign-in/arrive.ts';
import { greet } from './sign-in/greet.ts';
import { Languages } from './sign-in/languages.tsx';
import { passkeysWork } from './sign-in/passkey.ts';
import SecondFactor from './sign-in/second-factor.tsx';
import { forgetToken, useToken } from './sign-in/token.ts';
import { PlainSkeleton } from './sign-in/waiting.tsx';
import { Join } from './start/join.tsx';
import { OfferPasskey } from './start/offer-passkey.tsx';
import './sign-in/sign-in.css';

export default function InvitationScreen() {
  const t = useWords('start');
  const token = useToken('invitation');
  if (token === null) return <PlainPage title={t('linkMissing')} lead={t('linkMissingText')} footer={<Languages />} />;
  return <WithToken key={token} token={token} />;
}

function WithToken({ token }: { token: string }) {
  const t = useWords('start');
  const s = useWords('sign-in');
  const offer = useCall('lookAtInvitation', { body: { token } });
  const arrive = useArrive();
  const [step, setStep] = useState<'look' | 'second_factor' | { session: SignedIn }>('look');
  const joined = async (reply: SignedIn) => {
    if (reply.status === 'second_factor') return setStep('second_factor');
    forgetToken('invitation');
    const isNew = offer.data?.account === 'none' || offer.data?.account === 'unproved';
    if (!isNew || !passkeysWork()) return arrive(reply);
    await greet();
    setStep({ session: reply });
  };
  if (typeof step === 'object') return <OfferPasskey onDone={() => void arrive(step.session)} />;
  if (step === 'second_factor')
    return (
      <PlainPage key="factor" title={s('factorTitle')} footer={<Languages />}>
        <SecondFactor onSignedIn={joined} onOver={() => setStep('look')} />
      </PlainPage>
    );
  if (offer.error !== null) return <InvalidInvitation problem={offer.error} />;
  if (offer.data === undefined) return <PlainSkeleton />;
  const { organization, invited_by } = offer.data;
  const lead =
    invited_by === null
      ? t('invited', { organization: organization.name })
      : t('invitedBy', { name: invited_by, organization: organization.name });
  return (
    <PlainPage
      key="look"
      title={t('joinTitle', { organization: organization.name })}
      lead={lead}
      footer={<Languages />}
    >
      <Join token={token} offer={offer.data} look={() => void offer.refetch()} done={(reply) => void joined(reply)} />
    </PlainPage>
  );
}

function InvalidInvitation({ problem }: { problem: Error }) {
  const t = useWords('start');
  const over = problem instanceof Problem && problem.code === 'link_not_valid';
  return (
    <PlainPage title={t('invitationOver')} {...(over && { lead: t('invitationOverText') })} footer={<Languages />}>
      {!over && <ProblemNotice problem={problem} />}
      <Link className="button" data-kind="main" data-wide="" to="/-/sign-in">
        {t('signIn')}
      </Link>
    </PlainPage>
  );
}
