import { DEFAULT_TERMINOLOGY, OrganizationChange } from '@turnout/contract';
import { changeOrganization } from '../areas/access/index.ts';
import type { Id } from '../common/ids.ts';
import type { PageLinks } from '../common/page-links.ts';
import { refuse } from '../common/refusal.ts';
import { bodyCheck } from '../road/request/validate.ts';
import type { Tx } from '../store/tx.ts';
import { all, type OptionValues, text } from './command.ts';

const check = bodyCheck(OrganizationChange);

/** Makes of the options the body that a member would send, and applies it by the same rules. */
export function setOrganization(of: { tx: Tx; org: Id; links: PageLinks }, given: OptionValues) {
  const { currency, language } = given;
  const terms = all(given.term).map(termOf);
  const body = defined({
    name: text(given.name),
    timezone: text(given.timezone),
    defaults: defined({ currency: text(currency), language: text(language) }),
    accent: given.accent === '' ? null : text(given.accent),
    terminology: terms.length === 0 ? undefined : Object.fromEntries(terms),
  });
  if (body === undefined) {
    refuse('validation_failed', {
      message: 'Nothing to set. Give --name, --timezone, --currency, --language, --accent or --term.',
    });
  }
  const faults = check(body).map(({ path, message }) => `${path.replace(/^defaults\//, '')} ${message}`);
  if (faults.length > 0) refuse('validation_failed', { message: `${faults.join('; ')}.` });
  return changeOrganization(of, body as OrganizationChange);
}

/** The values that are defined; undefined if there are none. */
function defined(values: Record<string, unknown>): Record<string, unknown> | undefined {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function termOf(pair: string): [string, string] {
  const [, noun, word] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
  if (noun === undefined || word === undefined || !Object.hasOwn(DEFAULT_TERMINOLOGY, noun)) {
    const nouns = Object.keys(DEFAULT_TERMINOLOGY).join(', ');
    return refuse('validation_failed', {
      message: `--term ${pair} is not of the form NOUN=WORD. The nouns are: ${nouns}.`,
    });
  }
  return [noun, word];
}
