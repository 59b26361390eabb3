import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { Html, html, join } from '../outside/mail-templates/markup.ts';

export interface HomeParts {
  publicUrl: string;
  /** The sandbox's published key, where this installation has a sandbox. */
  testKey: string | null;
}

/** The colours of the reference page. Every text has a contrast of at least 4.5 to 1, in light and in dark mode. */
const STYLE = `
:root{color-scheme:light dark;--ink:#1d2733;--soft:#55626f;--line:#dfe4e9;--paper:#fff;--wash:#f6f8f9;--accent:#0b6e66}
@media (prefers-color-scheme:dark){:root{--ink:#e6eaee;--soft:#a3afba;--line:#2f3943;--paper:#14191e;--wash:#1b2228;--accent:#5cc8bd}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:46rem;margin:0 auto;padding:clamp(2.5rem,11vh,7rem) 1.5rem 4rem}
h1{margin:0;font-size:clamp(2rem,6vw,2.75rem);line-height:1.15;letter-spacing:-.02em;font-weight:650}
.lead{margin:.75rem 0 0;font-size:1.2rem;line-height:1.5;color:var(--soft);max-width:34rem}
h2{margin:3rem 0 0;font-size:1rem;font-weight:650}
p{margin:.5rem 0 0;max-width:38rem}
ul{list-style:none;margin:.75rem 0 0;padding:0;border-top:1px solid var(--line)}
li{display:grid;grid-template-columns:13rem 1fr;gap:0 1.5rem;padding:.7rem 0;border-bottom:1px solid var(--line)}
li span{color:var(--soft)}
a{color:var(--accent);text-underline-offset:.2em;text-decoration-thickness:1px}
a:focus-visible{outline:2px solid var(--accent);outline-offset:3px;border-radius:2px}
code{font:.875em/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
.call{margin:.9rem 0 0;padding:.9rem 1.1rem;border:1px solid var(--line);border-radius:.6rem;background:var(--wash);max-width:none;overflow-wrap:anywhere}
footer{margin-top:3rem;color:var(--soft);font-size:.95rem}
@media (max-width:36rem){li{grid-template-columns:1fr}}
`;

/** Allows nothing from other hosts, nothing inline except this style, and no frame around the page. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface Entry {
  address: string;
  name: string;
  says: string;
}
const BUILD: readonly Entry[] = [
  { address: '/docs', name: 'API reference', says: 'Every operation, with a button to try it.' },
  { address: '/v1/openapi.json', name: 'OpenAPI document', says: 'The reference as a file for programs.' },
  { address: '/scan-cases.json', name: 'Golden cases', says: 'Test cases for a scanner that you write.' },
  {
    address: '/webhook-vectors.json',
    name: 'Webhook vectors',
    says: 'Test cases for a receiver of webhooks: signatures to accept and to refuse.',
  },
];
const RUN: readonly Entry[] = [
  { address: '/healthz', name: 'Alive', says: 'Whether the process answers.' },
  { address: '/readyz', name: 'Ready', says: 'Whether the database answers and has the schema of this version.' },
];

const list = (entries: readonly Entry[]): Html =>
  html`<ul>${join(entries.map(({ address, name, says }) => html`<li><a href="${address}">${name}</a><span>${says}</span></li>`))}</ul>`;

const firstCall = (publicUrl: string, key: string): Html => html`
<h2>Your first call</h2>
<p>The sandbox is an organization with made-up people. It starts over every night, and its test key is public:</p>
<p class="call"><code>curl -H "Authorization: Bearer ${key}" ${publicUrl}/v1/me</code></p>`;

const page = ({ publicUrl, testKey }: HomeParts): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Turnout</title>
<meta name="description" content="Event registration, ticketing and check-in.">
<link rel="icon" href="data:,">
<style>${new Html(STYLE)}</style>
</head>
<body>
<main>
<h1>Turnout</h1>
<p class="lead">Event registration, ticketing and check-in. Register people, send tickets and check them in, with the app or the API.</p>
<p><a href="/app">Open the app</a></p>${testKey === null ? '' : firstCall(publicUrl, testKey)}
<h2>For developers</h2>
${list(BUILD)}
<h2>For operators</h2>
${list(RUN)}
<footer><p>Looking for an event? Ask its organizer for the address.</p></footer>
</main>
</body>
</html>
`.toString();

/** The page at the address of the installation: what Turnout is, and where to go from here. */
export function homePage(app: FastifyInstance, parts: HomeParts): void {
  const content = page(parts);
  app.get('/', async (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .headers({
        'Cache-Control': 'no-cache',
        'Content-Security-Policy': POLICY,
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      })
      .send(content),
  );
}
