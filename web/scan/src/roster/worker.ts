import { Db } from '../store/db.ts';
import { answerTo } from './answer.ts';
import type { Ask, FromWorker } from './api.ts';
import { Keeper } from './keeper.ts';

/** The worker that holds the roster: receives questions and sends answers. */

const send = (message: FromWorker): void => (self as unknown as Worker).postMessage(message);
const keeper = new Keeper(new Db(), (progress) => send({ progress }));

self.onmessage = async ({ data }: MessageEvent<Ask>) => send(await answerTo(data, keeper));
