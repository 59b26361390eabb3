import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call } from '../../frame/api.ts';
import { throttledUntil } from './throttled.tsx';

export type Send = (email: string, key: string) => Promise<unknown>;
export const sendSignInLink: Send = (email, key) => call('sendSignInLink', { body: { email } }, { key });

/** A mail with a link; the server answers the same for every address. `until`: too many were asked for. */
export function useMail(send: Send = sendSignInLink) {
  const [until, setUntil] = useState<number | null>(null);
  const mail = useAction(async (email: string, { key }: { key: string }) => {
    setUntil(null);
    try {
      await send(email, key);
    } catch (error) {
      setUntil(throttledUntil(error));
      throw error;
    }
    return email;
  });
  return { mail, until };
}
