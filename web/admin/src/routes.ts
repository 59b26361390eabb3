import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { Problem } from '@turnout/client';
import { readChoice, Skeleton } from '@turnout/ui';
import { parseSearch, stringifySearch } from './frame/address.ts';
import { queries, queryOf } from './frame/api.ts';
import { Failed } from './frame/failed.tsx';
import { movedAddress } from './frame/moved.ts';
import { LAST_ORGANIZATION } from './frame/organization.tsx';
import { account, event, organization, root } from './routes/base.ts';
import { checkInRoutes } from './routes/check-in.ts';
import { eventRoutes } from './routes/event.ts';
import { organizationRoutes } from './routes/organization.ts';
import { peopleRoutes } from './routes/people.ts';
import { accountRoutes, signingInRoutes } from './routes/signing-in.ts';

/** /app itself: on to the organization used last, or to signing in. */
const entry = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async () => {
    try {
      const { organizations } = await queries.fetchQuery(queryOf('getAccount', {}));
      const last = readChoice(LAST_ORGANIZATION);
      const next = organizations.find((one) => one.code === last) ?? organizations[0];
      if (next === undefined) throw redirect({ to: '/-/account', replace: true });
      throw redirect({ to: '/$org', params: { org: next.code }, replace: true });
    } catch (error) {
      if (error instanceof Problem && error.code === 'sign_in_required')
        throw redirect({ to: '/-/sign-in', replace: true });
      throw error;
    }
  },
});

/** The screens and their addresses. It reads the address of the page when it is made. */
export function makeRouter() {
  const now = movedAddress(location.pathname);
  if (now !== location.pathname) history.replaceState(null, '', now + location.search + location.hash);
  return createRouter({
    basepath: '/app',
    parseSearch,
    stringifySearch,
    routeTree: root.addChildren([
      entry,
      ...signingInRoutes,
      account.addChildren([...accountRoutes]),
      organization.addChildren([
        ...organizationRoutes,
        event.addChildren([...eventRoutes, ...peopleRoutes, ...checkInRoutes]),
      ]),
    ]),
    defaultPreload: 'intent',
    defaultPendingMs: 100,
    // By default, grey lines that were drawn stay for half a second, also when the screen is there already.
    defaultPendingMinMs: 0,
    defaultPendingComponent: Skeleton,
    defaultErrorComponent: Failed,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
