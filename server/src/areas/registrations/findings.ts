import type { Id } from '../../common/ids.ts';
import { type Fault, Refusal } from '../../common/refusal.ts';
import type { Caller } from '../../road/caller.ts';
import type { DiscountRow } from '../events/index.ts';

/** Which rules of the event's form apply. An import is an organizer's tool and is not held to all of them. */
export interface FormRules {
  /** Prices and sales are those of this time. */
  now: Date;
  /** Whether attendee types may be chosen that are not offered to the public, or not on sale. */
  hiddenTypes: boolean;
  /** Hidden types that a code reveals. */
  revealed?: ReadonlySet<Id>;
  /** Whether required questions must be answered. */
  requiredAnswers: boolean;
  /** Whether answers to questions that the event does not ask are kept. */
  otherAnswers: boolean;
  /** Days that have closed by this time cannot be chosen. Null: every day can. */
  daysOpenAt: Date | null;
}

/**
 * The rules for whoever registers now. With `past_days`, a late entry may be for days that are over. A member may choose a type that the
 * form hides, such as one for guests; others one that a code reveals.
 */
export const formRules = (
  now: Date,
  { past_days = false }: { past_days?: boolean | undefined },
  { actor }: Pick<Caller, 'actor'>,
  discount: Pick<DiscountRow, 'reveal_ids'> | null = null,
): FormRules => ({
  now,
  hiddenTypes: actor.kind === 'member',
  ...(discount !== null && { revealed: new Set(discount.reveal_ids) }),
  requiredAnswers: true,
  otherAnswers: false,
  daysOpenAt: past_days ? null : now,
});

/**
 * What is wrong with a registration. Faults (400) are collected over all attendees, so that the caller hears of all of them at
 * once. Of the refusals (422) only one is given: the first in the order that `verdict` knows.
 */
export class Findings {
  readonly faults: Fault[] = [];
  readonly refusals: Refusal[] = [];
  readonly unanswered: Fault[] = [];
  /** Required products that are not taken. */
  readonly untaken: Fault[] = [];

  /** The one refusal to give, or null if nothing is wrong. */
  verdict(): Refusal | null {
    if (this.faults.length > 0) {
      const named = this.faults.slice(0, 3).map((fault) => `${fault.path} ${fault.message}`);
      return new Refusal('validation_failed', {
        message: `The request is not valid: ${named.join('; ')}.`,
        details: this.faults,
      });
    }
    const refusal = this.refusal();
    if (refusal !== null) return refusal;
    if (this.untaken.length > 0) return new Refusal('product_required', { details: this.untaken });
    return this.unanswered.length > 0 ? new Refusal('answer_required', { details: this.unanswered }) : null;
  }

  /** The first of the refusals, or null. */
  refusal(): Refusal | null {
    for (const code of ['type_not_available', 'day_not_available', 'product_not_available'] as const) {
      const first = this.refusals.find((refusal) => refusal.code === code);
      if (first !== undefined) return first;
    }
    return null;
  }
}
