import { useRouter } from '@tanstack/react-router';
import type { SignedIn } from '@turnout/client';
import { useCallback } from 'react';
import { asking, queries } from '../../frame/api.ts';
import { safeThen } from '../../frame/then.ts';
import { speakAs } from '../../frame/words.ts';

/**
 * After signing in: forgets what somebody else saw here before, takes over the language of the account, and goes on: to where one
 * was (`then`), to the organization that the server names, or to the one used last.
 */
export function useArrive(): (reply: SignedIn, then?: string | null) => Promise<void> {
  const router = useRouter();
  return useCallback(
    async (reply, then) => {
      await greet();
      router.history.replace(
        safeThen(then) ?? (reply.organization === null ? '/app' : `/app/${encodeURIComponent(reply.organization)}`),
      );
    },
    [router],
  );
}

/** Who is signed in now may be another person with another language. */
export async function greet(): Promise<void> {
  queries.clear();
  try {
    const account = await queries.fetchQuery(asking('getAccount', {}));
    await speakAs(account);
  } catch {
    // The next screen asks again and says what is wrong.
  }
}
