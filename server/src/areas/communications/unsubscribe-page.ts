import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';
import { cleanLine } from '../../outside/clean.ts';
import { type Html, html } from '../../outside/mail-templates/markup.ts';
import type { Links } from '../../road/links.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { subscribeAgain, type Unsubscribes, unsubscribe, whoOpens } from './unsubscribe.ts';
import { type MessageWords, messageWords } from './words.ts';

const BODY_LIMIT = 10_000;
/** The name of the button that subscribes again. */
const AGAIN = 'again';

interface Page {
  words: MessageWords;
  title: string;
  content: Html;
}

/**
 * The page behind the link at the end of news. A GET changes nothing, because programs that scan mails follow every link. The
 * page's button POSTs, and so does the button that mail programs offer (RFC 8058).
 */
export function unsubscribePage(app: FastifyInstance, parts: { pool: Pool; clock: Clock; links: Links }): void {
  const { pool, clock, links } = parts;
  app.register(async (page) => {
    page.removeAllContentTypeParsers();
    page.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    page.route<{ Params: { token: string } }>({
      method: ['GET', 'POST'],
      url: '/links/unsubscribe/:token',
      handler: async (request, reply) => {
        const opens = links.open('unsubscribe', request.params.token);
        const who = opens && whoOpens(opens);
        const shown =
          who &&
          (await transaction(
            pool,
            clock,
            { role: 'app', org: who.org },
            async (tx) => {
              if (request.method === 'POST') await change(tx, who, request);
              return pageOf(tx, who, request.method);
            },
            { readOnly: request.method === 'GET' },
          ));
        return shown ? show(reply, shown) : show(reply.code(404), INVALID);
      },
    });
  });
}

const change = (tx: Tx, who: Unsubscribes, { id, body }: FastifyRequest): Promise<void> => {
  const again = typeof body === 'string' && new URLSearchParams(body).has(AGAIN);
  return (again ? subscribeAgain : unsubscribe)(tx, who, id);
};

/** The page for the current state of the address; null if the organization was deleted. */
async function pageOf(tx: Tx, who: Unsubscribes, method: string): Promise<Page | null> {
  const place = await tx.maybe<{ name: string; language: string; unsubscribed: boolean }>(sql`
    select o.name, coalesce(e.language, o.language) as language,
      exists (select from unsubscribed u where u.org_id = o.id and u.address = ${who.address}) as unsubscribed
    from organizations o left join events e on e.org_id = o.id and e.id = ${who.event} where o.id = ${who.org}`);
  if (place === null) return null;
  const words = messageWords(place.language);
  const name = cleanLine(place.name);
  if (place.unsubscribed) return { words, title: words.done(name), content: button(words.again, AGAIN) };
  return method === 'POST'
    ? { words, title: words.welcome(name), content: button(words.unsubscribe) }
    : { words, title: words.ask(name), content: html`<p>${words.explain}</p>${button(words.unsubscribe)}` };
}

const INVALID: Page = { words: messageWords('en'), title: messageWords('en').over, content: html`` };

const button = (label: string, name = ''): Html =>
  html`<form method="post"><button name="${name}" value="1">${label}</button></form>`;

function show(reply: FastifyReply, { words, title, content }: Page): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({
      'Cache-Control': 'no-store',
      'Content-Security-Policy':
        "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'X-Content-Type-Options': 'nosniff',
    })
    .send(
      html`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>
<style>
:root{color-scheme:light dark}
body{font:17px/1.5 system-ui,sans-serif;max-width:32rem;margin:14vh auto;padding:0 1.5rem}
h1{font-size:1.5rem;line-height:1.3}
button{font:inherit;padding:.6rem 1.2rem;border-radius:.5rem;border:1px solid;cursor:pointer}
</style>
</head>
<body><h1>${title}</h1>${content}</body>
</html>
`.toString(),
    );
}
