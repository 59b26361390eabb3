import type { RefusalCode } from '@turnout/contract';
import type { Static, TSchema } from 'typebox';
import type { AccountCall, SessionNeed } from './call.ts';

/**
 * An operation on `/app/api/-`: signing in, and a person's own account. It belongs to no organization, so it does not run on the road,
 * which decides everything by the organization. It keeps the road's manners: the schema checks every field, every fault is named at
 * once, refusals come from the one catalogue, and a change must come from a page of ours.
 */
interface Declared<B extends TSchema, R extends TSchema, S extends SessionNeed> {
  /** The name of the call in the typed client. */
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/app/api/-`. Each `{name}` is the id of an object of the account. */
  path: string;
  /** `none`: no session is needed. `any`: a session. `proved`: one whose owner proved who they are in the last ten minutes. */
  session: S;
  /**
   * Whether it makes an organization or a member, which a read-only installation refuses. Signing in and what a person does with the
   * own account go on, because everything can still be read, and a stolen password must still be changed.
   */
  refusedWhenReadOnly?: true;
  body?: B;
  /** Null: the answer has no body (202 or 204). */
  reply: R | null;
  status?: 200 | 201 | 202 | 204;
  refusals: readonly RefusalCode[];
  summary: string;
  handle: (call: AccountCall<Static<B>, S>) => Promise<Static<R> | undefined>;
}

/** An account operation as the router and the generator of the client read it. Its types were checked by `accountOperation`. */
export interface AccountOperation extends Omit<Declared<TSchema, TSchema, SessionNeed>, 'handle'> {
  // biome-ignore lint/suspicious/noExplicitAny: erased here, checked in `accountOperation`
  handle: (call: any) => Promise<unknown>;
}

export const accountOperation = <B extends TSchema, R extends TSchema, const S extends SessionNeed>(
  declared: Declared<B, R, S>,
): AccountOperation => declared as unknown as AccountOperation;
