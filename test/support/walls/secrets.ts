import { createHash } from 'node:crypto';
import type { Mode } from '@turnout/contract';

/** Who sees answers: a key, a member, or a webhook endpoint. */
export interface Viewer {
  name: string;
  org: string;
  /** The code of the group that it is limited to. */
  group: string | null;
  mode: Mode;
}

/** Who may see something: the rules of the specification, in a few lines that share no code with the server. */
export interface Rule {
  org: string;
  /** The groups of the people whom it is about. A person without a group (null) is seen only by those who see the whole organization. */
  groups: readonly (string | null)[];
  /** Whether one of these people must be within reach, or all. */
  needs: 'one' | 'all';
  /** Live callers do not see test people in a live event. In a test event, everybody is a test. */
  hiddenFromLive: boolean;
}

/** Every group, with the groups above it. */
export const ABOVE: Record<string, readonly string[]> = { north: ['north'], city: ['city', 'north'], south: ['south'] };

export function maySee(viewer: Viewer, rule: Rule): boolean {
  if (viewer.org !== rule.org) return false;
  if (viewer.mode === 'live' && rule.hiddenFromLive) return false;
  if (viewer.group === null) return true;
  const inReach = (group: string | null) => group !== null && ABOVE[group]!.includes(viewer.group!);
  return rule.needs === 'one' ? rule.groups.some(inReach) : rule.groups.every(inReach);
}

/** Texts that reveal something about a person, each with who may see it. */
export class Secrets {
  readonly #rules = new Map<string, { what: string; rules: Rule[] }>();
  #serial = 0;

  /** A word that occurs nowhere else, whatever its case. */
  word(what: string, rule: Rule): string {
    const word = `wz${(++this.#serial + 46_656).toString(36)}qy`;
    this.add(word, what, rule);
    return word;
  }

  phone(rule: Rule): string {
    const digits = `4977${String(++this.#serial + 1_000_000)}`;
    this.add(digits, 'phone', rule);
    return `+${digits}`;
  }

  /** The same text may belong to two people; whoever may see one of them may see it. */
  add(text: string, what: string, rule: Rule): void {
    const key = text.toLowerCase();
    const known = this.#rules.get(key);
    if (known === undefined) this.#rules.set(key, { what, rules: [rule] });
    else known.rules.push(rule);
  }

  /** The code of a ticket, and its hash in rosters. */
  ticketCode(code: string, shown: Rule, inRoster: Rule): void {
    this.add(code, 'ticket code', shown);
    const hash = createHash('sha256').update(code).digest();
    this.add(hash.toString('hex'), 'hash of a ticket code', inRoster);
    this.add(hash.toString('base64url'), 'hash of a ticket code', inRoster);
  }

  /** The parts of a text that the viewer must not see. What it sent itself does not count. */
  leaked(text: string, viewer: Viewer, said: string, allowed: readonly Rule[] = []): string[] {
    const asked = new Set(wordsOf(said));
    const found = new Set<string>();
    for (const word of wordsOf(text)) {
      const known = this.#rules.get(word);
      if (known === undefined || asked.has(word)) continue;
      if (known.rules.some((rule) => allowed.includes(rule) || maySee(viewer, rule))) continue;
      found.add(`${known.what} ${word}`);
    }
    return [...found];
  }
}

/** Finds everything in a text that could be one of these texts: our words and phone numbers, ids, codes and hashes. */
const wordsOf = (text: string): string[] => {
  const lower = text.toLowerCase();
  return [/wz[0-9a-z]{4}qy/g, /4977\d{7}/g, /[0-9a-z_-]{43}/g, /[0-9a-z]{10,64}/g].flatMap(
    (shape) => lower.match(shape) ?? [],
  );
};
