/** Where to go if nothing else is known: the app finds the organization that was used last. */
export const HOME = '/app';

/**
 * Where the browser goes after signing in. The address comes from whoever made the link to the sign-in, so it is only taken if it
 * leads to a screen of ours.
 */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > 500 || !/^\/app\/[\x21-\x5b\x5d-\x7e]*$/.test(wanted)) return HOME;
  const there = URL.parse(wanted, 'https://here.invalid');
  if (there?.origin !== 'https://here.invalid') return HOME;
  const { pathname, search } = there; // a fragment could carry the token of a link that somebody else chose
  const screen = /^\/app\/(?!api\/|assets\/|-\/oidc\/)/.test(pathname);
  return screen ? pathname + search : HOME;
}
