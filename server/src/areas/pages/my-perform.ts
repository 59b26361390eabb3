import { randomUUID } from 'node:crypto';
import type { RefusalCode } from '@turnout/contract';
import { HOUR } from '../../clock.ts';
import { toUlid } from '../../common/ids.ts';
import { networkOf } from '../../common/network.ts';
import { type Fault, Refusal } from '../../common/refusal.ts';
import type { Answer } from '../../road/answer.ts';
import { visitorOf } from '../../road/for-areas/visitors.ts';
import type { Operation } from '../../road/operation.ts';
import type { AttendeeState } from '../registrations/index.ts';
import { requireTurn } from './my-tickets.ts';
import type { Visit } from './my-visit.ts';
import { requireOwnForm } from './own-form.ts';
import { fieldsOf, type PageParts, type PageRequest } from './parts.ts';

/** How often one link may be used to change something in ten minutes. */
const MAX_CHANGES = 60;
/**
 * How many places one link may hand on in an hour, and how many all links that are used from one network. Each writes to two addresses,
 * one of which whoever hands on has chosen.
 */
const MAX_HAND_ONS = { link: 20, network: 40 };

/** What an operation answered to a form: what it did, or why it did nothing. */
export type Outcome = { answer: Answer } | { refused: RefusalCode; details: readonly Fault[] };

/**
 * Runs an operation of these pages. The path is filled from what the link has opened. The form's key makes a form that is sent twice
 * do its work once.
 */
export async function perform(
  parts: PageParts,
  visit: Visit,
  request: PageRequest,
  operation: Operation,
  of: { attendee?: AttendeeState; body?: object },
): Promise<Outcome> {
  requireOwnForm(request, parts.publicUrl);
  const { site, registration, attendee, world, token } = visit;
  const self = attendee ?? registration;
  await requireTurn(parts, `changes of ${self.id}`, MAX_CHANGES);
  if (operation.id === 'handOnPlace') {
    await requireTurn(parts, `hand-ons of ${self.id}`, MAX_HAND_ONS.link, HOUR);
    const network = `hand-ons ${site.organization.org.id} ${networkOf(request.ip)}`;
    await requireTurn(parts, network, MAX_HAND_ONS.network, HOUR);
  }
  const name = attendee === null ? 'registrant' : 'attendee';
  const caller = visitorOf(site.organization, { id: self.id, name }, visit.now);
  try {
    const answer = await parts.visitors.perform(
      operation,
      // What is done to a test registration is a test.
      { ...caller, mode: registration.test ? 'test' : 'live' },
      {
        params: {
          event: world.event.code,
          registration: toUlid(registration.id),
          attendee: toUlid((of.attendee ?? attendee ?? registration).id),
        },
        body: { ...of.body, link: token },
        key: keyOf(fieldsOf(request).get('key')),
        requestId: request.id,
      },
    );
    parts.wakeMails();
    return answer.status < 400 ? { answer } : refusedIn(answer);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return outcomeOf(error.code, error.options.details ?? [], error);
  }
}

/** A refusal that is stored for retries comes as an answer. */
function refusedIn(answer: Answer): Outcome {
  const { error } = JSON.parse(answer.body.toString()) as { error: { code: RefusalCode; details?: Fault[] } };
  return outcomeOf(error.code, error.details ?? [], new Refusal(error.code));
}

/** Refusals that the person can do something about are said on their page; all others have a page of their own. */
function outcomeOf(refused: RefusalCode, details: readonly Fault[], error: Refusal): Outcome {
  if (!SAID.includes(refused)) throw error;
  return { refused, details };
}
const SAID: readonly RefusalCode[] = [
  'validation_failed',
  'answer_required',
  'product_not_available',
  'product_required',
  'product_full',
  'quota_full',
  'idempotency_key_reused',
  'invalid_state',
];

const keyOf = (sent: string | null): string => (sent !== null && /^[0-9a-f-]{36}$/.test(sent) ? sent : randomUUID());
