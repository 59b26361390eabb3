// Every component on one page, to be looked at and tested: `npm run dev`, then /app/gallery.html. It is not part of the built app.
import '@turnout/ui/tokens.css';
import '@turnout/ui/base.css';
import { createRootRoute, createRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { applyAccent, applyTheme, type Theme, Toasts, WordsProvider } from '@turnout/ui';
import { createRoot } from 'react-dom/client';
import { Root } from '../frame/root.tsx';
import { prepareWords, words } from '../frame/words.ts';
import { Gallery } from './gallery.tsx';

const search = new URLSearchParams(location.search);
applyTheme((search.get('theme') ?? 'system') as Theme);
applyAccent(search.get('accent'));
await prepareWords();
const root = createRootRoute({ component: Root });
const everywhere = createRoute({ getParentRoute: () => root, path: '$', component: GalleryPage });
const elsewhere = createRoute({ getParentRoute: () => root, path: 'elsewhere', component: () => <h1>Elsewhere</h1> });
const router = createRouter({ basepath: '/app', routeTree: root.addChildren([everywhere, elsewhere]) });

function GalleryPage() {
  return (
    <main style={{ padding: '2rem clamp(1rem, 4vw, 3rem)' }}>
      <Gallery elsewhere={() => void router.navigate({ href: '/app/elsewhere' })} />
    </main>
  );
}
createRoot(document.getElementById('app')!).render(
  <WordsProvider words={words}>
    <RouterProvider router={router as never} />
    <Toasts />
  </WordsProvider>,
);
