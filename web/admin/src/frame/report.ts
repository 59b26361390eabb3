import { call, Problem } from '@turnout/client';

/** The last request that was refused or failed: an error of a screen is often its consequence. */
let lastRequest: string | null = null;
export const noteRequest = (id: string | null): void => {
  lastRequest = id ?? lastRequest;
};

/** By what they say and where. A screen that is drawn twice before it is given up fails twice, and that is one error. */
const reported = new Map<string, Promise<string | null>>();
const AT_MOST = 10;

/**
 * Sends an error of the page to the server's log and returns the id of that request, by which the operator finds the line. Refusals
 * and errors of the network are no errors of the page.
 */
export async function report(error: unknown): Promise<string | null> {
  if (error instanceof Problem) return null;
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
  const what = [location.pathname, message, ...(stack ?? '').split('\n').slice(0, 3)].join('\n');
  const before = reported.get(what);
  if (before !== undefined || reported.size >= AT_MOST) return before ?? null;
  const sending = send(message, stack);
  reported.set(what, sending);
  return sending;
}

async function send(message: string, stack: string | undefined): Promise<string | null> {
  let own: string | null = null;
  const body = {
    message: message.slice(0, 1000) || 'Error',
    ...(stack !== undefined && { stack: stack.slice(0, 8000) }),
    // Not the whole address: its fragment and its query can hold what is nobody's business.
    screen: location.pathname.slice(0, 500),
    ...(lastRequest !== null && { request_id: lastRequest.slice(0, 60) }),
  };
  try {
    await call(
      'reportClientError',
      { body },
      {
        onRequestId: (id) => {
          own = id;
        },
      },
    );
  } catch {
    // There is nobody left to tell.
  }
  return own;
}

export function reportErrors(): void {
  window.addEventListener('error', (event) => void report(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => void report(event.reason));
}
