/**
 * Every answer begins with these headers: no browser, proxy or program keeps it, so that nobody finds it there after somebody has signed
 * out, and no browser takes it for something else than its type says. What everybody may keep (files of the apps, pictures, public JSON,
 * the reference) says so itself, in its own `Cache-Control`.
 */
export const PRIVATE = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;

/**
 * For an answer with an `ETag`. A client may keep it, or it could not ask with `If-None-Match` whether it is still true; but it must ask
 * every time, and only with the credentials that it got the answer with.
 */
export const REVALIDATED = 'private, no-cache';
