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
  addEventListener('popstate', () => location.reload());
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null, enhance: () => void): Promise<void> {
  const main = document.querySelector('main');
  if (main === null || main.ariaBusy === 'true') return;
  const fields = new URLSearchParams(new FormData(form, submitter) as unknown as Record<string, string>);
  const isGet = form.method === 'get';
  const address = isGet ? `${form.action}?${fields}` : form.action;
  main.ariaBusy = 'true';
  main.classList.add('busy');
  try {
    const answer = await fetch(address, {
      method: isGet ? 'GET' : 'POST',
      headers: { Accept: 'text/html' },
      ...(!isGet && { body: fields }),
    });
    // The result has an address of its own, which the browser opens.
    if (answer.redirected) return location.assign(answer.url);
    if (!(answer.headers.get('Content-Type') ?? '').startsWith('text/html')) throw new Error('not a page');
    put(main, await answer.text());
    if (isGet) history.pushState(null, '', address);
    enhance();
  } catch {
    main.ariaBusy = 'false';
    main.classList.remove('busy');
    tellOffline(form);
  }
}

function put(main: Element, text: string): void {
  const page = new DOMParser().parseFromString(text, 'text/html');
  const fresh = page.querySelector('main');
  if (fresh === null) throw new Error('not a page');
  document.title = page.title;
  main.replaceWith(document.adoptNode(fresh));
  const first = fresh.querySelector<HTMLElement>('#faults') ?? fresh.querySelector('h1');
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
