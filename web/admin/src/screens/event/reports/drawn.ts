/** What every report is asked with: its time, and for registrations how long an interval is. */
export interface DrawnProps {
  query: { from?: string; to?: string; test?: boolean };
  by: 'day' | 'week' | 'hour';
}
