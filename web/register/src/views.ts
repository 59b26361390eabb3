/**
 * The browser's history of what was put into place without loading a page: Back returns to the form with everything that was typed, and
 * Forward to the summary. Each entry keeps its part of the page in memory. After the page was loaded again, or left and come back to, that
 * is gone; then the entry says what to send to get it once more, as a browser without JavaScript does.
 */
interface Entry {
  id: string;
  /** What the server drew it from, if it was not a plain address. */
  sent?: SentForm;
}

/** A form that was sent, to be sent once more. */
export interface SentForm {
  address: string;
  fields: string;
}

const MAX_KEPT_PAGES = 20;
const keptPages = new Map<string, { main: Element; title: string }>();
let current: Entry = { id: '' };
/** The entry whose page is in place. Another one than `current` while that is being asked for. */
let inPlace = '';

const newId = (): string => Math.random().toString(36).slice(2);
const isEntry = (state: unknown): state is Entry => typeof (state as Entry | null)?.id === 'string';

/** `redraw` puts into place what the server answers to these fields; without any, what the address shows. */
export function followHistory(redraw: (sent: SentForm | undefined) => void): void {
  if (document.querySelector('form.register, form.choose') === null) return;
  current = isEntry(history.state) ? history.state : { id: newId() };
  history.replaceState(current, '');
  addEventListener('popstate', ({ state }) => {
    // A link to a field, such as those in the list of faults, leads to another place on the same page.
    if (!isEntry(state)) return history.replaceState(current, '');
    const isSamePage = state.id === current.id;
    if (!isSamePage) keepShown();
    current = state;
    if (isSamePage) return;
    const known = keptPages.get(state.id);
    if (known === undefined) return redraw(state.sent);
    show(known);
    isInPlace();
  });
  if (current.sent !== undefined) redraw(current.sent);
  else isInPlace();
}

/** Whose turn it is. An answer that arrives when it is another entry's must not be put into that one's place. */
export const currentEntry = (): string => current.id;

/** The page of the current entry was put into place. */
export function isInPlace(): void {
  inPlace = current.id;
}

function keepShown(): void {
  const main = document.querySelector('main');
  if (main === null || inPlace !== current.id) return;
  keptPages.delete(current.id);
  keptPages.set(current.id, { main, title: document.title });
  if (keptPages.size > MAX_KEPT_PAGES) keptPages.delete(keptPages.keys().next().value!);
}

function show({ main, title }: { main: Element; title: string }): void {
  document.querySelector('main')?.replaceWith(main);
  document.title = title;
  main.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
}

/** The next page has an entry of its own. `left` is what the entry of this one is drawn from from now on. */
export function nextEntry(address: string, left: SentForm | undefined, sent: SentForm | undefined): void {
  keepShown();
  if (left !== undefined) history.replaceState({ ...current, sent: left }, '');
  current = { id: newId(), ...(sent !== undefined && { sent }) };
  history.pushState(current, '', address);
}

/** The same page with other contents, such as one more person. */
export function sameEntry(sent: SentForm | undefined): void {
  current = { ...current, ...(sent !== undefined && { sent }) };
  history.replaceState(current, '');
}
