import { useRouter, useSearch } from '@tanstack/react-router';
import { useArrive } from './sign-in/arrive.ts';
import SignInScreen from './sign-in.tsx';

/** The sign-in screen for somebody who comes to it from another screen. Whoever begins with it, gets it from frame/begin.tsx. */
export default function SignInFromScreen() {
  const search = useSearch({ from: '/-/sign-in' });
  const arrive = useArrive();
  const { history } = useRouter();
  return (
    <SignInScreen
      search={search}
      onSignedIn={(reply) => void arrive(reply, search.then)}
      onGo={(address) => history.push(address)}
    />
  );
}
