import { currentEntry, followHistory, isInPlace, nextEntry, type SentForm, sameEntry } from './views.ts';

/** Whether something was typed that is not booked yet. */
let isChanged = false;

/**
 * Sends the forms of registering without loading the whole page again: the answer is the same page, and only its main part is put into
 * place. If anything is not as expected, the browser sends the form as it would without us.
 */
export function sendWithoutReload(enhance: () => void): void {
  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (!(form instanceof HTMLFormElement) || !form.matches('form.register, form.choose')) return;
    event.preventDefault();
    void send(form, event.submitter, enhance);
  });
  followHistory((sent) => void redraw(sent, enhance));
  askBeforeLeaving();
}

/** Asks whoever leaves a form that they have changed. Going back and forth between its pages loses nothing, so nobody is asked then. */
function askBeforeLeaving(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof Element && target.closest('form.register') !== null) isChanged = true;
  });
  addEventListener('beforeunload', (event) => {
    if (isChanged && document.querySelector('form.register') !== null) event.preventDefault();
  });
}

/** What looks different to whoever goes back: the choice of types, the form, and the summary. */
const kindOf = (main: Element): string =>
  main.querySelector('#c-first') !== null ? 'form' : main.querySelector('form.register') !== null ? 'summary' : 'event';

async function send(form: HTMLFormElement, submitter: HTMLElement | null, enhance: () => void): Promise<void> {
  const main = document.querySelector('main');
  if (main === null || main.ariaBusy === 'true') return;
  const fields = new URLSearchParams(new FormData(form, submitter) as unknown as Record<string, string>);
  const isGet = form.method === 'get';
  // A button may lead elsewhere than its form, as the one that applies a code on the event's page.
  const action = submitter?.hasAttribute('formaction') ? (submitter as HTMLButtonElement).formAction : form.action;
  const address = isGet ? `${action}?${fields}` : action;
  const entry = currentEntry();
  setBusy(main, true);
  try {
    const answer = await fetch(address, {
      method: isGet ? 'GET' : 'POST',
      headers: { Accept: 'text/html' },
      ...(!isGet && { body: fields }),
    });
    // The result has an address of its own, which the browser opens. It takes the place of the summary: whoever goes back must not come
    // to a button that books the same once more.
    if (answer.redirected) {
      isChanged = false;
      return location.replace(answer.url);
    }
    const page = await pageIn(answer);
    setBusy(main, false);
    if (currentEntry() !== entry) return;
    // Drawing the page again must not book anything.
    const sent = isGet ? undefined : sentAs(fields.get('do') === 'book' ? 'review' : null, address, fields);
    // Whoever comes back to the form finds it as it was sent, whatever the browser has forgotten by then.
    const left = kindOf(main) === 'form' ? sentAs('change', address, fields) : undefined;
    if (kindOf(page.main) !== kindOf(main)) nextEntry(address, left, sent);
    else sameEntry(sent);
    showPage(page);
    enhance();
  } catch {
    setBusy(main, false);
    tellOffline(form);
  }
}

/** The same fields, sent by another button; null: by the one that was pressed. */
function sentAs(button: string | null, address: string, fields: URLSearchParams): SentForm {
  const sent = new URLSearchParams(fields);
  if (button !== null) sent.set('do', button);
  return { address, fields: String(sent) };
}

/** Draws a page again that the browser has forgotten. If that fails, what is shown stays. Until then nothing on it can be sent. */
async function redraw(sent: SentForm | undefined, enhance: () => void): Promise<void> {
  const headers = { Accept: 'text/html' };
  const entry = currentEntry();
  const before = document.querySelector('main');
  if (before !== null) setBusy(before, true);
  try {
    const answer =
      sent === undefined
        ? await fetch(location.href, { headers })
        : await fetch(sent.address, { method: 'POST', headers, body: new URLSearchParams(sent.fields) });
    const page = await pageIn(answer);
    if (currentEntry() !== entry) return;
    showPage(page);
    // Whoever leaves now loses what they had typed before.
    isChanged ||= sent !== undefined;
    enhance();
  } catch {
    // The form that the address shows is empty, and can be filled in again.
  } finally {
    if (before !== null) setBusy(before, false);
  }
}

function setBusy(main: Element, isBusy: boolean): void {
  main.ariaBusy = String(isBusy);
  main.classList.toggle('busy', isBusy);
}

interface PageContent {
  main: Element;
  title: string;
}

async function pageIn(answer: Response): Promise<PageContent> {
  if (!(answer.headers.get('Content-Type') ?? '').startsWith('text/html')) throw new Error('not a page');
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const main = page.querySelector('main');
  if (main === null) throw new Error('not a page');
  return { main: document.adoptNode(main), title: page.title };
}

function showPage({ main, title }: PageContent): void {
  document.title = title;
  document.querySelector('main')?.replaceWith(main);
  isInPlace();
  const first = main.querySelector<HTMLElement>('#faults') ?? main.querySelector('h1');
  first?.setAttribute('tabindex', '-1');
  first?.focus({ preventScroll: true });
  scrollTo({ top: 0 });
}

/** The network is gone. What was typed stays, and the same form can be sent again: it has one token, so it never counts twice. */
function tellOffline(form: HTMLFormElement): void {
  const text = form.dataset.offline;
  if (text === undefined) return;
  let note = form.querySelector<HTMLElement>('.notice.offline');
  if (note === null) {
    note = document.createElement('p');
    note.className = 'notice bad offline';
    note.setAttribute('role', 'alert');
    form.append(note);
  }
  note.textContent = text;
}
