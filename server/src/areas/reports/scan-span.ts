import { type Sql, sql } from '../../store/sql.ts';
import { ofCheckIns, type ReportScope } from './scope.ts';

/** The times of the first and the last scan. A scanner whose clock is ahead does not move the last one beyond now. */
export const scanSpan = (scope: ReportScope, which: Sql): Promise<{ first: string | null; last: string | null }> =>
  scope.tx.one(sql`
    select min(k.scanned_at) as first, least(max(k.scanned_at), ${scope.tx.clock.now()}::timestamptz) as last
    from checkins k where ${ofCheckIns(scope)} and ${which}`);
