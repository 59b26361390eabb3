import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { openapiDocument } from '../server/src/openapi/document.ts';
import { referencePage } from '../server/src/openapi/page/page.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;

describe('what is served', () => {
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

  test('its addresses are those of the installation', async () => {
    const own = { publicUrl: 'https://api.fair.test', scannerUrl: 'https://door.fair.test' };
    const document: Any = openapiDocument(operations, own);
    expect(document.servers[0].variables.base_url.default).toBe('https://api.fair.test/v1');
    const scanner = document.paths['/checkins/{check_in}/override'].post.servers;
    expect(scanner).toHaveLength(1);
    expect(scanner[0].url).toBe('{scanner_url}/api/v1');
    expect(scanner[0].variables.scanner_url.default).toBe('https://door.fair.test');
  });

  /** Addresses of other servers that a page would load something from; `http://www.w3.org` names what SVG is. */
  const foreign = (text: string) =>
    [...text.matchAll(/(?:https?:)?\/\/[\w.-]+\.?[\w-]+[^\s"'`)<]*/g)]
      .map((match) => match[0])
      .filter((url) => !url.startsWith('http://localhost:3000/v1') && !url.startsWith('http://www.w3.org/'));

  test('/docs loads nothing from elsewhere, and its policy would not let it', async () => {
    const page = await t.call('GET', '/docs');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|http|\*/);
    expect(foreign(page.text)).toEqual([]);
    expect(page.text).not.toMatch(/<script(?![^>]* src=)|<style| on\w+=/);
    const files = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map((match) => match[1]!);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const answer = await t.call('GET', file);
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, expect.stringContaining('immutable')]);
      // Swagger UI's own code names many addresses it never loads; what it could load from CSS is looked at.
      if (file.includes('.css') || file.includes('reference.js')) {
        const loaded = answer.text.replaceAll(/^\s*(\/\*|\/\/).*$/gm, '').replaceAll(/url\("?data:[^)]*/g, '');
        expect(foreign(loaded).filter((url) => file.includes('reference') || loaded.includes(`url(${url}`))).toEqual(
          [],
        );
      }
    }
    expect((await fetch(`${t.url}/docs/`, { redirect: 'manual' })).headers.get('location')).toBe('/docs');
  });

  test('seen failing: a page with a font from elsewhere', () => {
    expect(foreign('<link href="https://fonts.example.net/a.css">')).toEqual(['https://fonts.example.net/a.css']);
    expect(foreign("@import '//cdn.example.net/a.css'")).toEqual(['//cdn.example.net/a.css']);
  });

  test('/docs signs in with the public test key where there is a sandbox, and with none where there is not', async () => {
    const parts = { publicUrl: 'http://localhost:3000' };
    const withKey = referencePage({}, { ...parts, testKey: 'svc_test_Public' });
    expect(withKey).toContain('data-key="svc_test_Public"');
    expect(withKey).toContain('curl -H "Authorization: Bearer svc_test_Public" http://localhost:3000/v1/me');
    expect((await t.call('GET', '/docs')).text).not.toMatch(/data-key|svc_test_/);
  });
});
