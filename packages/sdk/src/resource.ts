import { Call, type CallOptions } from './call.ts';
import type { Caller, Request } from './caller.ts';
import { type Changes, type ChangesOptions, follow } from './changes.ts';
import type { PageInfo } from './generated/schemas.ts';
import { type Ask, PageCall } from './page.ts';

/** Writes ids into a path. An empty id or one of dots would make it the address of something else. */
export function path(texts: TemplateStringsArray, ...ids: string[]): string {
  return texts.reduce((whole, text, i) => {
    const id = ids[i - 1];
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError('An id or code in the path is missing.');
    return whole + encodeURIComponent(id) + text;
  });
}

type What = Omit<Request, 'operation' | 'method' | 'path'>;

/** What the classes of the resources have in common. The names begin with `$`, so that no operation can have them. */
export class Resource {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  protected $send<T>(operation: string, method: string, at: string, what: What, options?: CallOptions): Call<T> {
    return new Call(this.#caller.send<T>({ operation, method, path: at, ...what }, options));
  }

  protected $pages<Item>(operation: string, at: string, query?: object, options?: CallOptions): PageCall<Item> {
    return new PageCall(this.#ask<Item>(operation, at, query, options));
  }

  protected $follow<Item>(
    operation: string,
    at: string,
    query: { since?: string | undefined; limit?: number | undefined } = {},
    options?: ChangesOptions,
  ): Changes<Item> {
    const { since, limit, ...filters } = query;
    const asking = (updated_since: string | undefined) =>
      this.#ask<Item>(operation, at, { ...filters, updated_since, include: 'removed' }, options);
    return follow(asking, since, limit, options);
  }

  #ask<Item>(operation: string, at: string, query?: object, options?: CallOptions): Ask<Item> {
    return ({ cursor, limit }) =>
      this.#caller.send<{ data: Item[]; page: PageInfo }>(
        { operation, method: 'GET', path: at, query: { limit, ...query, ...(cursor !== undefined && { cursor }) } },
        options,
      );
  }
}
