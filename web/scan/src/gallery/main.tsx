import '../css/tokens.css';
import '../css/base.css';
import '../css/page.css';
import '../css/scan.css';
import '../css/answer.css';
import '../css/handing.css';
import '../css/kiosk.css';
import { render } from 'preact';
import { App } from '../app.tsx';
import { begin } from '../parts/session.ts';
import { beginDressing, change } from '../parts/settings.ts';
import { beginSpeaking } from '../parts/words.ts';
import { hostOf } from './double.ts';
import { STATES } from './states.ts';

/** `?state=answer duplicate` shows one screen; without it, there are links to all of them. */
const wanted = new URLSearchParams(location.search).get('state');
const state = wanted === null ? undefined : STATES[wanted];
const root = document.getElementById('app')!;

if (state === undefined) {
  render(
    <main class="page-body">
      <h1>Screens of the scanner</h1>
      <ul>
        {Object.keys(STATES).map((name) => (
          <li key={name}>
            <a href={`?state=${encodeURIComponent(name)}`}>{name}</a>
          </li>
        ))}
      </ul>
    </main>,
    root,
  );
} else {
  change({ hand: 'right', open: null, kiosk: null, testing: [], read: [] });
  await beginSpeaking();
  beginDressing();
  render(<App />, root);
  await begin(hostOf(state));
  await state.act?.();
}
document.documentElement.dataset.ready = 'true';
