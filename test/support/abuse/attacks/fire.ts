import type { Answered, Outgoing } from '../abuser.ts';
import { bytesOf, type Ground, type Volley } from './attack.ts';

/** What a volley cost. Times are in milliseconds. */
export interface Cost {
  /** How often each status was answered; 0 where the caller hung up. */
  statuses: Map<number, number>;
  /** Processor time of the server and of PostgreSQL, with what went on in the background. */
  server: number;
  database: number;
  wall: number;
  /** Bytes of all requests, and of the largest answer. */
  sent: number;
  answered: number;
  /** What was answered otherwise than expected, in words. */
  faults: string[];
}

export interface Meters {
  server(): number;
  database(): number | Promise<number>;
}

/** Waits until PostgreSQL works no more for callers who have hung up, and the server has taken in what was last sent. */
export type Quiet = () => Promise<void>;

/** Sends a volley and measures what it cost until all of its work was done. */
export async function fire(ground: Ground, volley: Volley, meters: Meters, quiet: Quiet): Promise<Cost> {
  const [server, database, began] = [meters.server(), await meters.database(), performance.now()];
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  let answered = 0;
  const left = [...volley.requests];
  const sender = async (): Promise<void> => {
    for (let request = left.shift(); request !== undefined; request = left.shift()) {
      const answer = await sendOne(ground, request, volley.hangsUpAfterMs);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      answered = Math.max(answered, Buffer.byteLength(answer.text));
      if (!isExpected(volley, answer))
        faults.push(`${request.path.slice(0, 100)}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: volley.together }, sender));
  const wall = performance.now() - began;
  await volley.settle?.();
  await quiet();
  return {
    statuses,
    server: meters.server() - server,
    database: (await meters.database()) - database,
    wall,
    sent: volley.requests.reduce((sum, request) => sum + bytesOf(request), 0),
    answered,
    faults,
  };
}

function isExpected({ refusedWith, hangsUpAfterMs }: Volley, { status }: Answered): boolean {
  if (status === 0) return hangsUpAfterMs !== undefined;
  return refusedWith === undefined ? status >= 200 && status < 300 : status === refusedWith;
}

async function sendOne(ground: Ground, request: Outgoing, hangsUpAfterMs?: number): Promise<Answered> {
  try {
    if (hangsUpAfterMs === undefined) return await ground.send(request);
    return await ground.send({ ...request, signal: AbortSignal.timeout(hangsUpAfterMs) });
  } catch (error) {
    // Somebody who hangs up misses the answer; for others, a connection that the server closed is a fault.
    return { status: 0, type: '', text: String(error) };
  }
}
