import { type Account, Problem, type SignedIn } from '@turnout/client';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { greet } from '../screens/sign-in/greet.ts';
import { PlainSkeleton } from '../screens/sign-in/waiting.tsx';
import { queries, queryOf } from './api.ts';
import { App } from './app.tsx';
import { Failure } from './failures.tsx';
import { addressAfter, signInFilters } from './then.ts';
import { prepareWords } from './words.ts';

const ENTRY = '/app';
const SIGN_IN = '/app/-/sign-in';
const root = createRoot(document.getElementById('app')!);
const draw = (content: ReactNode) => root.render(<App>{content}</App>);

/** The router and all screens. */
const everyScreen = async (): Promise<ReactNode> => (await import('../screens.tsx')).allScreens();

/**
 * Draws the screen that the address names. Whoever comes to sign in gets it without the router, so it is there sooner; that is loaded
 * while they type. What is needed is asked for at once: the words, the file of the screen, and who is signed in.
 */
export async function begin(): Promise<void> {
  const at = location.pathname.replace(/\/$/, '');
  const first = at === ENTRY || at === SIGN_IN;
  // What is wrong is said above the form, which would move if it came later.
  const hasFault = new URLSearchParams(location.search).has('error');
  const words = prepareWords(...(first ? (['sign-in', ...(hasFault ? (['refusals'] as const) : [])] as const) : []));
  await show(first ? entry(at) : everyScreen(), words);
}

/** Nobody notices a wait that is shorter, and drawing grey lines for it would only delay the content. */
const UNNOTICED_MS = 100;

/** Grey lines until the content is there; if it cannot be had, what is in the way. */
async function show(content: Promise<ReactNode>, words?: Promise<void>): Promise<void> {
  // If the words cannot be loaded, nobody waits for the content any more.
  content.catch(() => undefined);
  let waiting: ReturnType<typeof setTimeout> | undefined;
  try {
    await words;
    waiting = setTimeout(() => draw(<PlainSkeleton />), UNNOTICED_MS);
    draw(await content);
  } catch (error) {
    draw(<Failure error={error} retry={() => location.reload()} />);
  } finally {
    clearTimeout(waiting);
  }
}

/** Signing in. At the entry of the app, only if nobody is signed in; else it leads on to the organization used last. */
async function entry(at: string): Promise<ReactNode> {
  const accountReply = queries.fetchQuery(queryOf('getAccount', {})).catch((error: unknown) => error);
  const [account, { default: SignInScreen }] = await Promise.all([
    accountReply,
    import('../screens/sign-in/sign-in.tsx'),
  ]);
  if (at === ENTRY) {
    if (!(account instanceof Problem && account.code === 'sign_in_required')) return everyScreen();
    history.replaceState(null, '', SIGN_IN);
  }
  const search = signInFilters(Object.fromEntries(new URLSearchParams(location.search)));
  document.addEventListener('input', () => void everyScreen().catch(() => undefined), { once: true });
  return (
    <SignInScreen
      search={search}
      account={account instanceof Error ? null : (account as Account)}
      onSignedIn={(reply) => void show(arrive(reply, search.then))}
      onGo={(address) => {
        history.pushState(null, '', address);
        void show(everyScreen());
      }}
    />
  );
}

async function arrive(reply: SignedIn, then: string | undefined): Promise<ReactNode> {
  await greet();
  history.replaceState(null, '', addressAfter(reply, then));
  return everyScreen();
}
