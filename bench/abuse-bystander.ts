import { parentPort, workerData } from 'node:worker_threads';
import { Bystander } from '../test/support/abuse/bystander.ts';

/** Another caller, on a thread of its own: otherwise, work of the bench itself would be measured as waiting. */
const { url, key } = workerData as { url: string; key: string };
const bystander = new Bystander(url, key, 5);

parentPort!.on('message', (message: 'forget' | 'waited' | 'stop') => {
  if (message === 'forget') bystander.forget();
  else if (message === 'waited') {
    parentPort!.postMessage({ waited: bystander.waited, troubles: bystander.troubles.splice(0) });
  } else void bystander.stop().then(() => process.exit(0));
});
parentPort!.postMessage('ready');
