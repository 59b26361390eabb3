import type { BeforeRequestMiddleware, Bundle, HttpResponse, ZObject } from 'zapier-platform-core';

/** Whatever the API answers: fields may be added at any time, so nothing here lists all of them. */
export type Row = Record<string, unknown> & { id: string };
interface Page {
  data: Row[];
  page: { next_cursor: string | null; has_more: boolean };
}

const CLIENT = 'zapier';
/** The most that a page of a list may have. */
export const MAX_PAGE_ROWS = 200;

/**
 * The address of API v1 of the installation that somebody has typed, with or without `/v1`. A key must not cross a network that others
 * can read, so only https is accepted; http is, to this very machine, for development.
 */
export function apiAddress(z: ZObject, typed: string | undefined): string {
  const address = URL.parse((typed ?? '').trim());
  const local = address !== null && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(address.hostname);
  if (address === null || !(address.protocol === 'https:' || (address.protocol === 'http:' && local))) {
    throw new z.errors.Error(
      'The address of the Turnout installation must begin with https://, for example https://turnout.example.org.',
      'address_not_valid',
    );
  }
  return `${address.origin}${address.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
}

/** Every call names this app and carries the key. Calls give only their path below `/v1`. */
export const addressAndKey: BeforeRequestMiddleware = (request, z, bundle) => ({
  ...request,
  url: apiAddress(z, bundle.authData.address) + request.url,
  // The key must not follow a redirect to another host.
  redirect: 'manual',
  headers: {
    ...request.headers,
    Authorization: `Bearer ${(bundle.authData.key ?? '').trim()}`,
    'X-Service-Client': CLIENT,
  },
});

/** A path with its parts encoded, because they can come from another step of a Zap. */
export const path = (parts: TemplateStringsArray, ...values: unknown[]): string =>
  parts
    .map((part, at) => part + (at < values.length ? encodeURIComponent(String(values[at] ?? '').trim()) : ''))
    .join('');

export async function get<T>(z: ZObject, url: string, params: Record<string, unknown> = {}): Promise<T> {
  const response: HttpResponse<T> = await z.request({ url, params, removeMissingValuesFrom: { params: true } });
  return response.data;
}

export const firstPage = async (z: ZObject, url: string, params: Record<string, unknown>): Promise<Row[]> =>
  (await get<Page>(z, url, params)).data;

/**
 * The page of a list that a drop-down asks for. Cursors cannot be kept between two pages of a drop-down everywhere, so the pages before
 * are read again; hardly anybody turns past the first one, which has 200 entries.
 */
export async function pageOf(z: ZObject, bundle: Bundle, url: string, params: Record<string, unknown>): Promise<Row[]> {
  let cursor: string | undefined;
  for (let left = Math.min(bundle.meta.page ?? 0, 50); ; left--) {
    const { data, page } = await get<Page>(z, url, { ...params, limit: MAX_PAGE_ROWS, cursor });
    if (left <= 0) return data;
    if (page.next_cursor === null) return [];
    cursor = page.next_cursor;
  }
}

/** Without what was left empty: the API refuses an empty text where it expects a name, a day or an address. */
export function filled(values: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) =>
        value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}
