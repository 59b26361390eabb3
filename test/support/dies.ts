import pg from 'pg';

/**
 * A process that imports this kills itself (kill -9) at a statement that CRASH names, for example
 * CRASH='{"words":"insert into mails","nth":2,"where":"in"}'. With `in` it dies when the n-th statement that contains these words
 * has been carried out and its transaction is still open; with `after`, right after that transaction's commit.
 */
const crash = JSON.parse(process.env.CRASH ?? 'null') as { words: string; nth: number; where: 'in' | 'after' } | null;
const die = () => process.kill(process.pid, 'SIGKILL');
let seen = 0;
let doomed: pg.Client | null = null;
const query = pg.Client.prototype.query as (...given: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [first] = given as [string | { text?: string }];
  const text = typeof first === 'string' ? first : (first?.text ?? '');
  const answer = query.apply(this, given);
  if (crash !== null && text.includes(crash.words)) {
    seen += 1;
    if (seen === crash.nth && crash.where === 'in') void (answer as Promise<unknown>).then(die);
    if (seen === crash.nth && crash.where === 'after') doomed = this;
  } else if (doomed === this && text === 'commit') void (answer as Promise<unknown>).then(die);
  return answer;
} as typeof pg.Client.prototype.query;
