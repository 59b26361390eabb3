import type { TestTurnout } from '../turnout.ts';

/** Calls operations of the organization that the screens show, as one of its members; anything but success is a mistake of the test. */
export function sender(t: TestTurnout, session: string) {
  const send = async (method: string, path: string, body?: unknown) => {
    const headers = { cookie: `turnout_session=${session}` };
    const reply = await t.call(method, `/app/api${path}`, {
      headers,
      org: 'rhein',
      ...(body !== undefined && { body }),
    });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  return { send, post: (path: string, body: unknown = {}) => send('POST', path, body) };
}
