/** Sections of an event that had another address once, as links in mails and bookmarks still have it. The longest come first. */
const MOVED: readonly (readonly [before: string, now: string])[] = [
  ['form/days', 'tickets/days'],
  ['form/types', 'tickets'],
  ['form/questions', 'page/questions'],
  ['form', 'tickets/days'],
  ['registrations', 'people/registrations'],
  ['import', 'people/import'],
  ['export', 'people/export'],
  ['payments', 'money'],
  ['desk', 'check-in/desk'],
  ['door/', 'check-in/'],
  ['door', 'check-in/scan'],
];

/** The address that a page has now: `/app/acme/events/fair/door/live` is `/app/acme/events/fair/check-in/live`. */
export function movedAddress(path: string): string {
  const [, event, below] = /^(\/app\/[^/]+\/events\/[^/]+\/)(.+?)\/?$/.exec(path) ?? [];
  if (event === undefined || below === undefined) return path;
  const moved = MOVED.find(
    ([before]) => below === before || below.startsWith(before.endsWith('/') ? before : `${before}/`),
  );
  return moved === undefined ? path : event + moved[1] + below.slice(moved[0].length);
}
