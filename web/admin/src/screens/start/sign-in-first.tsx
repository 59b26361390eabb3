import { Link } from '@tanstack/react-router';
import { Notice, useWords } from '@turnout/ui';

/** The address has an account already. The token of the link is kept for this tab (token.ts), so one comes back to it. */
export function SignInFirst({ email, then }: { email: string; then: string }) {
  const t = useWords('start');
  return (
    <Notice>
      <p>{t('signInFirst')}</p>
      <div className="buttons">
        <Link className="button" data-kind="main" to="/-/sign-in" search={{ email, then }}>
          {t('signIn')}
        </Link>
      </div>
    </Notice>
  );
}
