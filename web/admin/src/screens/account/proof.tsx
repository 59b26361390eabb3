import { type Account, Problem } from '@turnout/client';
import { Dialog, useWords } from '@turnout/ui';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from 'react';
import { call, useRefresh } from '../../frame/api.ts';
import { useSignIn } from '../sign-in/flow.tsx';

type Prove = <R>(work: () => Promise<R>) => Promise<R>;
interface ProofRequest {
  proved: () => void;
  given_up: () => void;
}
const Context = createContext<Prove>((work) => work());

/**
 * Does something that needs a recent sign-in: `await prove(() => call('setPassword', …))`. If the last one is too long ago, it asks
 * to sign in again in a dialog, and then does it.
 */
export const useProof = (): Prove => useContext(Context);

export function Proofs({ account, children }: { account: Account; children: ReactNode }) {
  const [request, setRequest] = useState<ProofRequest | null>(null);
  const prove = useCallback<Prove>(async (work) => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'sign_in_again') throw error;
      await new Promise<void>((resolve, reject) => setRequest({ proved: resolve, given_up: () => reject(error) }));
      return await work();
    }
  }, []);
  const close = (how: keyof ProofRequest) => {
    request?.[how]();
    setRequest(null);
  };
  return (
    <Context value={prove}>
      {children}
      {request !== null && (
        <SignInAgain email={account.email} onProved={() => close('proved')} onClose={() => close('given_up')} />
      )}
    </Context>
  );
}

function SignInAgain({ email, onProved, onClose }: { email: string; onProved: () => void; onClose: () => void }) {
  const t = useWords('account');
  const refresh = useRefresh();
  const proved = useCallback(() => {
    onProved();
    void refresh('getAccount', 'listSessions');
  }, [onProved, refresh]);
  const { at, title, content } = useSignIn({ fixed: email, next: '/app/-/account?part=sign-in', onSignedIn: proved });
  useProvedElsewhere(proved);
  return (
    <Dialog title={title ?? t('proofTitle')} onClose={onClose}>
      {at === 'ways' && <p className="soft">{t('proofText')}</p>}
      <div key={at}>{content}</div>
    </Dialog>
  );
}

/** The link of a mail opens in another tab. When this one is looked at again, it finds out. */
function useProvedElsewhere(proved: () => void): void {
  useEffect(() => {
    const look = async () => {
      if (document.visibilityState !== 'visible') return;
      const account = await call('getAccount', {}).catch(() => null);
      if (account !== null && Date.parse(account.session.proved_until) > Date.now()) proved();
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [proved]);
}
