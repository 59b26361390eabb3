import type { Fields } from '../../road/request/form-body.ts';
import type { QuestionRow } from '../events/index.ts';
import type { EventWorld } from '../registrations/index.ts';
import { countField, MAX_PEOPLE, mostPeople } from './chooser.ts';
import type { ShownType } from './queries.ts';
import type { ShownEvent } from './shown.ts';

/** Somebody in a form, as they were typed. */
export interface Person {
  /** Code of the attendee type. */
  type: string;
  first: string;
  last: string;
  email: string;
  days: string[];
  /** By the code of the question. `choices` may have several. */
  answers: ReadonlyMap<string, string[]>;
  products: TypedProducts;
}

/**
 * What was typed for products, by the code of the product. One with options of which one can be chosen has the code of the option; all
 * others have a number, of each option at `product.option`.
 */
export type TypedProducts = ReadonlyMap<string, string>;

/** As long as a code can be, with what people type around it. */
const MAX_CODE = 80;

/** A form that is being filled in. It stands in the form itself, so that nothing is kept for people who never send it. */
export interface Draft {
  contact: { first: string; last: string; email: string; phone: string };
  people: Person[];
  /** What is taken for all people together. */
  together: TypedProducts;
  /** Names of products that depend on the days, and were in the form. */
  seen: ReadonlySet<string>;
  /** The code of a discount, as it was typed. */
  code: string;
  token: string;
  /** The total that the person was shown. Null until they were. */
  total: number | null;
}

export const nobody = (type: string): Person => ({
  ...{ type, first: '', last: '', email: '' },
  days: [],
  answers: new Map(),
  products: new Map(),
});

const NO_CONTACT = { first: '', last: '', email: '', phone: '' };

/** How many of each type were chosen on the event's page; one of the first type if nothing was. */
export function draftOf(query: Readonly<Record<string, unknown>>, shown: ShownEvent): Draft {
  const people: Person[] = [];
  for (const type of shown.types) {
    const count = Number(query[countField(type)] ?? 0);
    for (let i = 0; i < count && people.length < mostPeople(shown); i += 1) people.push(nobody(type.code));
  }
  const [first] = shown.types;
  if (people.length === 0 && first !== undefined) people.push(nobody(first.code));
  return {
    contact: NO_CONTACT,
    people,
    together: new Map(),
    seen: new Set(),
    code: codeIn(query),
    token: '',
    total: null,
  };
}

/** The code that an address brings, such as that of a link in a newsletter. */
export const codeIn = ({ code }: Readonly<Record<string, unknown>>): string =>
  typeof code === 'string' ? code.slice(0, MAX_CODE).trim() : '';

/** The draft in the fields of a form. Fields that a form of ours cannot have are left out. */
export function readDraft(fields: Fields): Draft {
  const text = (name: string): string => fields.get(name) ?? '';
  const people: Person[] = [];
  for (let i = 0; i < MAX_PEOPLE; i += 1) {
    const type = fields.get(`p${i}-type`);
    if (type === null) continue;
    people.push({
      type,
      first: text(`p${i}-first`),
      last: text(`p${i}-last`),
      email: text(`p${i}-email`),
      days: [...fields.getAll(`p${i}-days`)],
      answers: new Map(),
      products: new Map(),
    });
  }
  const answers = people.map(() => new Map<string, string[]>());
  const products = people.map(() => new Map<string, string>());
  const together = new Map<string, string>();
  const places = placesOf(fields);
  for (const [name, values] of fields) {
    const ofProduct = productIn(name);
    if (ofProduct !== null) {
      const typed = ofProduct.place === null ? together : products[places.indexOf(ofProduct.place)];
      typed?.set(ofProduct.key, values[0]!);
      continue;
    }
    const match = /^p(\d{1,2})-q-(.+)$/s.exec(name);
    const of = match === null ? undefined : answers[places.indexOf(Number(match[1]))];
    if (match === null || of === undefined) continue;
    // Browsers send every line break as two characters. The field counts it as one.
    const given = values.map((value) => value.replaceAll('\r\n', '\n'));
    of.set(match[2]!, [...(of.get(match[2]!) ?? []), ...given]);
  }
  const total = text('total');
  return {
    contact: { first: text('c-first'), last: text('c-last'), email: text('c-email'), phone: text('c-phone') },
    people: people.map((person, i) => ({ ...person, answers: answers[i]!, products: products[i]! })),
    together,
    seen: new Set(fields.getAll('seen')),
    code: text('code').slice(0, MAX_CODE).trim(),
    token: text('token'),
    total: /^\d{1,15}$/.test(total) ? Number(total) : null,
  };
}

/** The field of a product: whose it is, null for all people together, and of what. */
function productIn(name: string): { place: number | null; key: string } | null {
  const match = /^(?:r|p(\d{1,2}))-x-([\w-]+(?:\.[\w-]+)?)$/.exec(name);
  return match === null ? null : { place: match[1] === undefined ? null : Number(match[1]), key: match[2]! };
}

/** The numbers that the people have in the fields: somebody may have been removed in between. */
const placesOf = (fields: Fields): number[] =>
  Array.from({ length: MAX_PEOPLE }, (_, i) => i).filter((i) => fields.has(`p${i}-type`));

/** The questions that this person is asked. */
export function questionsFor({ types, questions }: EventWorld, person: Person): QuestionRow[] {
  const type = [...types.values()].find((one) => one.code.toLowerCase() === person.type.toLowerCase());
  return questions.filter(
    ({ attendee_type_ids: ids }) => ids === null || (type !== undefined && ids.includes(type.id)),
  );
}

/** Whoever registers comes in the first place, unless the form names somebody else there. */
export const isSelf = ({ people: [first] }: Draft, i: number): boolean =>
  i === 0 && first !== undefined && first.first.trim() === '' && first.last.trim() === '' && first.email.trim() === '';

/** The types of the people, as they are offered now; undefined for one that is hidden or gone. */
export const typeOf = (shown: ShownEvent, { type }: Person): ShownType | undefined =>
  shown.types.find((one) => one.code.toLowerCase() === type.toLowerCase());
