import { useRouter } from '@tanstack/react-router';
import type { SignedIn } from '@turnout/client';
import { useCallback } from 'react';
import { addressAfter } from '../../frame/then.ts';
import { greet } from './greet.ts';

/**
 * After signing in: forgets what somebody else saw here before, takes over the language of the account, and goes on: to where one
 * was (`then`), to the organization that the server names, or to the one used last.
 */
export function useArrive(): (reply: SignedIn, then?: string | null) => Promise<void> {
  const router = useRouter();
  return useCallback(
    async (reply, then) => {
      await greet();
      router.history.replace(addressAfter(reply, then));
    },
    [router],
  );
}
