import './css/tokens.css';
import './css/base.css';
import './css/page.css';
import './css/scan.css';
import './css/answer.css';
import './css/handing.css';
import './css/kiosk.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.tsx';
import { forget, join, openEngine, pair, pairedEvents, storageState, takeOver, wipeSeen } from './engine/index.ts';
import type { Host } from './parts/host.ts';
import { awaitInstall } from './parts/install.tsx';
import { codeIn, eventIn } from './parts/pairing-code.ts';
import { asked, begin, engine, go, pairingCode, restart, stopped, updateReady } from './parts/session.ts';
import { beginDressing } from './parts/settings.ts';
import { beginSounding } from './parts/signals.ts';
import { beginSpeaking } from './parts/words.ts';
import { applyUpdate, updateNow, watchUpdates } from './worker/updates.ts';

const host: Host = {
  paired: pairedEvents,
  pair,
  join,
  open: async (id, options) => {
    if (options.takeOver) await takeOver();
    return openEngine(id);
  },
  leave: (id, { evenIfWaiting }) => forget(id, { force: evenIfWaiting }),
  storage: storageState,
  wipeSeen,
  update: updateNow,
  applyUpdate,
};

awaitInstall();
beginSounding();
/** The code is for one use, but it should not stay in the address or in the history. */
function takeCode(): boolean {
  const code = codeIn(location.hash);
  asked.value = eventIn(location.hash);
  if (location.hash !== '') history.replaceState(history.state, '', location.pathname + location.search);
  if (code === null) return false;
  pairingCode.value = code;
  return true;
}
takeCode();
// A link that is opened while the app is open changes only what stands behind the #.
addEventListener('hashchange', () => {
  if (takeCode() && engine.value !== null) go('pair');
  else if (asked.value !== null) void restart();
});
watchUpdates({
  onReady: () => {
    updateReady.value = true;
  },
});
// Without its texts the app still scans: the colours and the results are not among them.
await beginSpeaking().catch((error: unknown) => reportError(error));
beginDressing();
render(<App />, document.getElementById('app')!);
await begin(host);
// A server that refuses this version has a newer one.
effect(() => {
  if (stopped.value === 'too_old') void updateNow();
});
