import { Agent, request as ask } from 'undici';
import { inOrganization, type Reply } from '../turnout.ts';

// There are ten thousand calls here, and with `fetch` they would make the whole run a third longer.
let agent: Agent | null = null;
const connections = (): Agent => (agent ??= new Agent({ connections: 8, keepAliveTimeout: 30_000 }));

/** One call over real HTTP. */
export async function request(
  url: string,
  method: string,
  path: string,
  { headers, body, org }: { headers: Record<string, string>; body: string | Buffer | null; org?: string | undefined },
): Promise<Reply> {
  const isApp = path.startsWith('/app/api/');
  const answer = await ask(url + (isApp ? inOrganization(path, headers.cookie, org) : path), {
    dispatcher: connections(),
    method: method as 'GET',
    headers: { ...(isApp && { 'sec-fetch-site': 'same-origin' }), ...headers },
    body,
  });
  const text = await answer.body.text();
  let parsed: unknown = null;
  try {
    parsed = JSON.parse(text);
  } catch {
    // not JSON; the row reads `text`
  }
  const given = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
  return { status: answer.statusCode, headers: new Headers(given), body: parsed, text };
}

export async function closeConnections(): Promise<void> {
  const open = agent;
  agent = null;
  await open?.close();
}
