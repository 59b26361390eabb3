import type { InvitationOffer, SignedIn } from '@turnout/client';
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
          of={[
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
      <How {...props} />
    </>
  );
}

function How(props: JoinProps) {
  const t = useWords('start');
  switch (props.offer.account) {
    case 'none':
      return <NewAccount {...props} />;
    case 'signed_in':
      return <OneClick {...props} text={t('joinSignedIn')} />;
    case 'joins':
      return <OneClick {...props} text={t('joinWith')} />;
    case 'sign_in_first':
      return <SignInFirst email={props.offer.email} then="/app/-/invitation" />;
    case 'other':
      return <Other {...props} />;
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

function NewAccount({ token, done }: JoinProps) {
  const t = useWords('start');
  const { language } = useAllWords();
  return (
    <div className="stack">
      <Form
        values={{ name: '', password: '' }}
        submit={({ name, password }, { key }) =>
          call(
            'acceptInvitation',
            { body: { token, name: name.trim(), language, ...(password !== '' && { password }) } },
            { key },
          )
        }
        done={done}
      >
        {({ field }) => (
          <>
            <TextField label={t('name')} autoFocus autoComplete="name" maxLength={200} {...field('name')} />
            <NewPassword required={false} field={field('password')} />
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

function Other({ look }: JoinProps) {
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
