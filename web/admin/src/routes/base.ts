import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { askForAll } from '../frame/all.ts';
import { queries, queryOf } from '../frame/api.ts';
import { NotFound } from '../frame/failures.tsx';
import { Root } from '../frame/root.tsx';
import { words } from '../frame/words.ts';

export const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

/** Screens of an organization, in the shell: /app/{org}/… */
export const organization = createRoute({
  getParentRoute: () => root,
  path: '$org',
  // Asked for while the shell is being loaded; the frame shows what comes of it.
  loader: ({ params: { org } }) => void queries.prefetchQuery(queryOf('getMembership', { org })),
  component: lazyRouteComponent(() => import('../frame/organization-frame.tsx')),
});

/** Screens of a signed-in person that belong to no organization, in the shell: /app/-/account */
export const account = createRoute({
  getParentRoute: () => root,
  id: 'account',
  loader: () => void queries.prefetchQuery(queryOf('getAccount', {})),
  component: lazyRouteComponent(() => import('../frame/account-frame.tsx')),
});

/** Screens of one event, below its name and its own navigation: /app/{org}/events/{event}/… */
export const event = createRoute({
  getParentRoute: () => organization,
  path: 'events/$event',
  loader: async ({ params: { org, event: code } }) => {
    const base = { org, event: code };
    void queries.prefetchQuery(queryOf('getEvent', base));
    for (const list of ['listDays', 'listAttendeeTypes', 'listCheckInPoints', 'listQuestions'] as const)
      askForAll(list, base);
    await words.need('parts', 'person', 'states', 'results', 'policy');
  },
  component: lazyRouteComponent(() => import('../frame/event-frame.tsx')),
});
