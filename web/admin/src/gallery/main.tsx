// Every component on one page, to be looked at and tested: `npm run dev`, then /app/gallery.html. It is not part of the built app.
import '@turnout/ui/tokens.css';
import '@turnout/ui/base.css';
import { applyAccent, applyTheme, type Theme, Toasts, WordsProvider } from '@turnout/ui';
import { createRoot } from 'react-dom/client';
import { prepareWords, words } from '../frame/words.ts';
import { Gallery } from './gallery.tsx';

const search = new URLSearchParams(location.search);
applyTheme((search.get('theme') ?? 'system') as Theme);
applyAccent(search.get('accent'));
await prepareWords();
createRoot(document.getElementById('app')!).render(
  <WordsProvider words={words}>
    <main style={{ padding: '2rem clamp(1rem, 4vw, 3rem)' }}>
      <Gallery />
    </main>
    <Toasts />
  </WordsProvider>,
);
