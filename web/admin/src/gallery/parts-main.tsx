// The shared parts of the app with made-up people, to be looked at and tested: `npm run dev`, then /app/parts.html. It is not part of
// the built app.
import '@turnout/ui/tokens.css';
import '@turnout/ui/base.css';
import { createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { applyTheme, Page } from '@turnout/ui';
import { createRoot } from 'react-dom/client';
import { App } from '../frame/app.tsx';
import { filters } from '../frame/route.ts';
import { prepareWords } from '../frame/words.ts';
import { event, organization, root } from '../routes/base.ts';
import { fakeServer } from './faked.ts';
import { OtherParts, PeopleTable } from './parts.tsx';

fakeServer();
applyTheme();
await prepareWords();
const parts = createRoute({ getParentRoute: () => event, path: '/', component: OtherParts });
const people = createRoute({
  getParentRoute: () => event,
  path: 'people',
  validateSearch: filters('search', 'status', 'attendee_type', 'day', 'order'),
  component: PeopleTable,
});
const person = createRoute({
  getParentRoute: () => event,
  path: 'people/$attendee',
  component: () => <Page title="Person" />,
});
const router = createRouter({
  basepath: '/app',
  routeTree: root.addChildren([organization.addChildren([event.addChildren([parts, people, person])])]),
  scrollRestoration: true,
});
if (location.pathname.endsWith('/parts.html')) history.replaceState(null, '', '/app/acme/events/summer');
createRoot(document.getElementById('app')!).render(
  <App>
    <RouterProvider router={router as never} />
  </App>,
);
