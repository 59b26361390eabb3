import { Link } from '@tanstack/react-router';
import type { Account, SignedIn, StartOffer } from '@turnout/client';
import { PlainPage, ProblemNotice, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useCall } from '../frame/api.ts';
import { useArrive } from './sign-in/arrive.ts';
import { greet } from './sign-in/greet.ts';
import { Languages } from './sign-in/languages.tsx';
import { passkeysWork } from './sign-in/passkey.ts';
import { forgetToken, useToken } from './sign-in/token.ts';
import { PlainSkeleton } from './sign-in/waiting.tsx';
import { OfferPasskey } from './start/offer-passkey.tsx';
import { SignUp } from './start/sign-up.tsx';
import { StartForm } from './start/start-form.tsx';
import './sign-in/sign-in.css';

/** The first organization of the installation, or one that somebody signs up. Without a token: asking for a link to begin. */
export default function StartScreen() {
  const token = useToken('start');
  return token === null ? <SignUp /> : <WithToken key={token} token={token} />;
}

function WithToken({ token }: { token: string }) {
  const t = useWords('start');
  const offer = useCall('lookAtStart', { body: { token } });
  const account = useCall('getAccount', {});
  const arrive = useArrive();
  const [made, setMade] = useState<SignedIn | null>(null);
  if (made !== null) return <OfferPasskey onDone={() => void arrive(made)} />;
  if (offer.error !== null) return <InvalidLink problem={offer.error} />;
  if (offer.data === undefined || account.isPending) return <PlainSkeleton />;
  const owner = ownerOf(offer.data, account.data);
  return (
    <PlainPage title={t('title')} lead={t(offer.data.first ? 'firstLead' : 'lead')} footer={<Languages />}>
      <StartForm
        token={token}
        offer={offer.data}
        account={owner}
        done={async (reply) => {
          forgetToken('start');
          await greet();
          if (passkeysWork() && (owner === null || owner.passkeys.length === 0)) setMade(reply);
          else await arrive(reply);
        }}
      />
    </PlainPage>
  );
}

/** Who is signed in owns it, unless the link was mailed to another address. */
const ownerOf = ({ email }: StartOffer, account: Account | undefined): Account | null =>
  account === undefined || account.sandbox || (email !== null && email.toLowerCase() !== account.email.toLowerCase())
    ? null
    : account;

function InvalidLink({ problem }: { problem: Error }) {
  const t = useWords('start');
  const over = 'code' in problem && problem.code === 'link_not_valid';
  return (
    <PlainPage title={t('linkOver')} {...(over && { lead: t('linkOverText') })} footer={<Languages />}>
      {!over && <ProblemNotice problem={problem} />}
      <Link className="button" data-kind="main" data-wide="" to="/-/sign-in">
        {t('signIn')}
      </Link>
    </PlainPage>
  );
}
