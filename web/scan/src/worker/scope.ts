/** The few things of a service worker that are used here. TypeScript's own types of it cannot be loaded beside those of a page. */
interface LongEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends LongEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface MessageFromPage extends LongEvent {
  readonly data: unknown;
}
export interface WorkerScope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: LongEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageFromPage) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}

/** The page asks a waiting version to take over. */
export const TAKE_OVER = 'take over';
