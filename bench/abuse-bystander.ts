import { parentPort, workerData } from 'node:worker_threads';
import { Bystander } from '../test/support/abuse/bystander.ts';
import { type Other, type OtherParts, otherRequest } from '../test/support/abuse/others.ts';

/** Others, on a thread of their own: otherwise, work of the bench itself would be measured as waiting. */
const { url, parts, who } = workerData as { url: string; parts: OtherParts; who: Other[] };
const others = who.map((one) => ({ who: one, bystander: new Bystander(url, () => otherRequest(one, parts), 5) }));

parentPort!.on('message', (message: 'forget' | 'waited' | 'stop') => {
  if (message === 'forget') for (const { bystander } of others) bystander.forget();
  else if (message === 'waited') {
    parentPort!.postMessage(
      others.map(({ who: name, bystander }) => ({
        who: name,
        waited: bystander.waited,
        p99: bystander.p99,
        answered: bystander.answered,
        troubles: bystander.troubles.splice(0).map((trouble) => `${name}: ${trouble}`),
      })),
    );
  } else void Promise.all(others.map(({ bystander }) => bystander.stop())).then(() => process.exit(0));
});
parentPort!.postMessage('ready');
