import { useRouter, useSearch } from '@tanstack/react-router';
import { useCall } from '../frame/api.ts';
import { useArrive } from './sign-in/arrive.ts';
import SignInScreen from './sign-in/sign-in.tsx';
import { PlainSkeleton } from './sign-in/waiting.tsx';

/** The sign-in screen for somebody who comes to it from another screen. Whoever begins with it, gets it from frame/begin.tsx. */
export default function SignInFromScreen() {
  const search = useSearch({ from: '/-/sign-in' });
  const account = useCall('getAccount', {});
  const arrive = useArrive();
  const { history } = useRouter();
  if (account.isPending) return <PlainSkeleton />;
  return (
    <SignInScreen
      search={search}
      account={account.data ?? null}
      onSignedIn={(reply) => void arrive(reply, search.then)}
      onGo={(address) => history.push(address)}
    />
  );
}
