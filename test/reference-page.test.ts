import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { openapiDocument } from '../server/src/openapi/document.ts';
import { documentOfPage } from '../server/src/openapi/page/document.ts';
import { referencePage } from '../server/src/openapi/page/page.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;

describe('the reference page and the document', () => {
  let t: TestTurnout;
  beforeAll(async () => {
    t = await startTest({ env: { PUBLIC_URL: 'http://localhost:3000' } });
  });
  afterAll(() => t.stop());

  test('/v1/openapi.json is the committed document and needs no key', async () => {
    const served = await t.call('GET', '/v1/openapi.json');
    expect(served.status).toBe(200);
    expect(served.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(served.body).toEqual(
      JSON.parse(readFileSync(new URL('../docs/reference/openapi.json', import.meta.url), 'utf8')),
    );
    const again = await t.call('GET', '/v1/openapi.json', {
      headers: { 'if-none-match': served.headers.get('etag')! },
    });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test('the document names the addresses of the installation', async () => {
    const own = { publicUrl: 'https://api.fair.test', scannerUrl: 'https://door.fair.test' };
    const document: Any = openapiDocument(operations, own);
    expect(document.servers[0].variables.base_url.default).toBe('https://api.fair.test/v1');
    const scanner = document.paths['/checkins/{check_in}/override'].post.servers;
    expect(scanner).toHaveLength(1);
    expect(scanner[0].url).toBe('{scanner_url}/api/v1');
    expect(scanner[0].variables.scanner_url.default).toBe('https://door.fair.test');
  });

  /** Addresses of other servers from which a page would load something. `http://www.w3.org` is only the name of the SVG format. */
  const foreign = (text: string) =>
    [...text.matchAll(/(?:https?:)?\/\/[\w.-]+\.?[\w-]+[^\s"'`)<]*/g)]
      .map((match) => match[0])
      .filter((url) => !url.startsWith('http://localhost:3000/v1') && !url.startsWith('http://www.w3.org/'));

  test('/docs loads nothing from other servers, and its Content-Security-Policy forbids it', async () => {
    const page = await t.call('GET', '/docs');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w-]{22}';/);
    expect(policy).not.toMatch(/unsafe|http|\*/);
    const again = (await t.call('GET', '/docs')).headers.get('content-security-policy');
    expect(again).not.toBe(policy);
    expect(foreign(page.text)).toEqual([]);
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/);
    const files = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map((match) => match[1]!);
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const answer = await t.call('GET', file);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, expect.stringContaining('immutable')]);
      // The reference's own code contains addresses that it never loads (test/reference-page-browser.test.ts watches it).
      if (file.includes('reference.')) expect(foreign(answer.text.replaceAll(/^\s*(\/\*|\/\/).*$/gm, ''))).toEqual([]);
    }
    expect((await fetch(`${t.url}/docs/`, { redirect: 'manual' })).headers.get('location')).toBe('/docs');
  });

  test.each(['br', 'gzip', 'identity'])('its files are sent as %s', async (encoding) => {
    const page = await t.call('GET', '/docs');
    const [, main] = /modulepreload" href="([^"]+)"/.exec(page.text)!;
    const answer = await fetch(t.url + main, { headers: { 'accept-encoding': encoding } });
    expect(answer.headers.get('content-encoding') ?? 'identity').toBe(encoding);
    expect(await answer.text()).toContain('createApiReference');
  });

  test.each(['../package.json', '..%2f..%2f..%2fpackage.json', 'standalone.js', 'chunks/', 'nothing.js'])(
    'there is no /docs/scalar/…/%s',
    async (name) => {
      const [version] = /\/docs\/scalar\/[\d.]+\//.exec((await t.call('GET', '/docs')).text)!;
      const { status, body } = await t.call('GET', `${version}${name}`);
      expect([status, body.error?.code]).toEqual([404, 'not_found']);
    },
  );

  test('seen failing: a page with a font from another server', () => {
    expect(foreign('<link href="https://fonts.example.net/a.css">')).toEqual(['https://fonts.example.net/a.css']);
    expect(foreign("@import '//cdn.example.net/a.css'")).toEqual(['//cdn.example.net/a.css']);
  });

  test('/docs signs in with the public test key where there is a sandbox, and with none where there is not', async () => {
    const files = { own: {}, modules: ['/docs/scalar/main.js'], document: '/docs/openapi.json' };
    expect(referencePage(files, { testKey: 'svc_test_Public', nonce: 'x' })).toContain('data-key="svc_test_Public"');
    expect((await t.call('GET', '/docs')).text).not.toMatch(/data-key|svc_test_/);
  });

  test('the document of the page lists each refusal once, and its operations only name theirs', () => {
    const page: Any = documentOfPage(openapiDocument(operations), true);
    const chapter = page.tags.find((one: Any) => one.name === 'Refusals and errors').description;
    const { description, responses } = page.paths['/events/{event}/registrations'].post;
    expect(Object.keys(responses)).toEqual(['201']);
    expect(description).toContain('[`day_full`](#tag/refusals-and-errors)');
    expect(description).not.toContain('rate_limited');
    const published: Any = openapiDocument(operations);
    const answered = new Set(
      Object.values<Any>(published.components.responses).flatMap(({ description: text }) =>
        [...text.matchAll(/^- `(\w+)`/gm)].map((match) => match[1]),
      ),
    );
    expect(answered.size).toBeGreaterThan(40);
    for (const code of answered) expect(chapter.split(`| \`${code}\` |`), code).toHaveLength(2);
    expect(JSON.stringify(page)).not.toContain('#/components/responses');
  });
});
