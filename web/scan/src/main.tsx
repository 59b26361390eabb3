import { render } from 'preact';
import { App } from './app.tsx';
import { watchUpdates } from './worker/updates.ts';

render(<App />, document.getElementById('app')!);
watchUpdates({ onReady: () => {} });
