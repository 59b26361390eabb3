/** The pages say when an event is in its own time zone. Whoever is in another one also reads the time there. */
export function showLocalTime(): void {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-zone]')) {
    const { zone = '', local = '', end = '' } = time.dataset;
    const start = new Date(time.dateTime);
    if (time.dataset.shown !== undefined || Number.isNaN(start.getTime()) || sameTime(start, zone, here)) continue;
    time.dataset.shown = '';
    const until = end === '' ? null : new Date(end);
    const style = { dateStyle: 'medium', timeStyle: 'short' } as const;
    const format = new Intl.DateTimeFormat(localeOf(document.documentElement.lang), style);
    const line = document.createElement('span');
    line.className = 'soft small local';
    line.textContent = `${local} ${until === null ? format.format(start) : format.formatRange(start, until)}`;
    const after = time.nextElementSibling?.nextElementSibling ?? time;
    after.after(document.createElement('br'), line);
  }
}

/** English of Britain or German of Austria write dates their own way. */
const localeOf = (lang: string): string => navigator.languages.find((one) => one.split('-', 1)[0] === lang) ?? lang;

/** Whether clocks in both zones show the same at that moment. */
function sameTime(at: Date, zone: string, here: string): boolean {
  const clock = (timeZone: string) =>
    new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(at);
  try {
    return clock(zone) === clock(here);
  } catch {
    return true;
  }
}
