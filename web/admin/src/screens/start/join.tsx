import { Link } from '@tanstack/react-router';
import { type InvitationOffer, Problem, type SignedIn } from '@turnout/client';
import {
  Button,
  Facts,
  Form,
  Notice,
  ProblemNotice,
  Submit,
  TextField,
  Time,
  useAllWords,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, queries, useCall } from '../../frame/api.ts';
import { NewPassword } from '../sign-in/new-password.tsx';
import { SignInFirst } from './sign-in-first.tsx';

interface JoinProps {
  token: string;
  offer: InvitationOffer;
  /** Looks at the invitation again, because who is signed in has changed. */
  look: () => void;
  done: (reply: SignedIn) => void;
}

/** What one is invited to, and how to join, which depends on whether the address has an account and who is signed in. */
export function Join(props: JoinProps) {
  const t = useWords('start');
  const { offer } = props;
  return (
    <>
      <div className="card">
        <Facts
          facts={[
            [t('forAddress'), offer.email],
            [
              t('asRole'),
              <span key="role">
                <strong>{t(`role.${offer.role}`)}</strong>
                <br />
                <span className="soft">{t(`may.${offer.role}`)}</span>
              </span>,
            ],
            ...(offer.group === null ? [] : [[t('inGroup'), offer.group] as const]),
            [t('until'), <Time key="until" at={offer.expires_at} />],
          ]}
        />
      </div>
      <JoinWay {...props} />
    </>
  );
}

function JoinWay(props: JoinProps) {
  const t = useWords('start');
  switch (props.offer.account) {
    case 'none':
      return <NewAccount {...props} />;
    case 'unproved':
      return <NewOrKnown {...props} />;
    case 'signed_in':
      return <OneClick {...props} text={t('joinSignedIn')} />;
    case 'joins':
      return <OneClick {...props} text={t('joinWith')} />;
    case 'other':
      return <OtherAccount {...props} />;
  }
}

function OneClick({ token, text, done }: JoinProps & { text: string }) {
  const t = useWords('start');
  const join = useAction(({ key }: { key: string }) => call('acceptInvitation', { body: { token } }, { key }));
  return (
    <div className="stack">
      <p className="soft">{text}</p>
      <Button
        kind="main"
        wide
        autoFocus
        busy={join.busy}
        onClick={async () => {
          const reply = await join.run();
          if (reply !== undefined) done(reply);
        }}
      >
        {t('join')}
      </Button>
      <ProblemNotice problem={join.problem} />
    </div>
  );
}

/** The copied link tells nobody whether the address has an account, so whoever has it chooses. */
function NewOrKnown(props: JoinProps) {
  const t = useWords('start');
  const { email } = props.offer;
  const then = INVITATION;
  return (
    <div className="stack">
      <div className="row">
        <span className="soft">{t('haveAccount')}</span>
        <Link className="button" data-size="small" to="/-/sign-in" search={{ email, then }}>
          {t('signIn')}
        </Link>
      </div>
      <NewAccount {...props} />
    </div>
  );
}

const INVITATION = '/app/-/invitation';

function NewAccount({ token, offer, done }: JoinProps) {
  const t = useWords('start');
  const { language } = useAllWords();
  const [known, setKnown] = useState(false);
  const submit = async ({ name, password }: { name: string; password: string }, { key }: { key: string }) => {
    setKnown(false);
    const body = { token, name: name.trim(), language, ...(password !== '' && { password }) };
    try {
      return await call('acceptInvitation', { body }, { key });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'sign_in_required') throw error;
      setKnown(true);
      return null;
    }
  };
  return (
    <div className="stack">
      <Form values={{ name: '', password: '' }} submit={submit} done={(reply) => reply !== null && done(reply)}>
        {({ field }) => (
          <>
            <TextField label={t('name')} autoFocus autoComplete="name" maxLength={200} {...field('name')} />
            <NewPassword required={false} field={field('password')} />
            {known && <SignInFirst email={offer.email} then={INVITATION} />}
            <Submit wide>{t('join')}</Submit>
          </>
        )}
      </Form>
      <SingleSignOn token={token} />
    </div>
  );
}

function SingleSignOn({ token }: { token: string }) {
  const t = useWords('start');
  const { data } = useCall('getSignInMethods', {});
  const start = useAction(({ key }: { key: string }) => call('startOidcFromInvitation', { body: { token } }, { key }));
  if (data?.oidc == null) return null;
  return (
    <>
      <div className="or">{t('or')}</div>
      <Button
        wide
        busy={start.busy}
        onClick={async () => {
          const reply = await start.run();
          if (reply !== undefined) location.assign(reply.location);
        }}
      >
        {t('withOidc', { name: data.oidc.name })}
      </Button>
      <ProblemNotice problem={start.problem} />
    </>
  );
}

function OtherAccount({ look }: JoinProps) {
  const t = useWords('start');
  const { data: account } = useCall('getAccount', {});
  const out = useAction(({ key }: { key: string }) => call('signOut', {}, { key }));
  return (
    <Notice tone="warn">
      <p>{t('otherAccount', { email: account?.email ?? '…' })}</p>
      <div className="buttons">
        <Button
          kind="main"
          busy={out.busy}
          onClick={async () => {
            await out.run();
            queries.removeQueries({ queryKey: ['getAccount'] });
            look();
          }}
        >
          {t('signOutFirst')}
        </Button>
      </div>
      <ProblemNotice problem={out.problem} />
    </Notice>
  );
}
