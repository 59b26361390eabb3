import type {
  FieldType,
  ILoadOptionsFunctions,
  INodeListSearchResult,
  INodePropertyOptions,
  ResourceMapperField,
  ResourceMapperFields,
} from 'n8n-workflow';
import { call, filled, path } from './api.ts';

interface Named {
  id: string;
  code: string;
  name: string | null;
  date?: string;
}
interface Page<T> {
  data: T[];
  page: { next_cursor: string | null };
}
interface Question {
  code: string;
  label: string;
  kind: string;
  required: boolean;
  options: string[] | null;
  attendee_types: string[] | null;
}

/** The most that a page of a list may have; an event has at most 500 check-in points and fewer of everything else. */
const MAX_PAGE_ROWS = 200;
const MAX_PAGES = 3;

export async function searchEvents(
  this: ILoadOptionsFunctions,
  filter?: string,
  paginationToken?: string,
): Promise<INodeListSearchResult> {
  const qs = filled({ search: filter, order: filter ? undefined : 'newest', cursor: paginationToken, limit: 50 });
  const { data, page } = await call<Page<Named>>(this, 'GET', '/events', { qs });
  return {
    results: data.map(({ id, code, name }) => ({ name: name ?? code, value: id })),
    paginationToken: page.next_cursor ?? undefined,
  };
}

/** Empty where none is chosen, and where it is an expression: what that means is known only when the workflow runs. */
function chosenEvent(context: ILoadOptionsFunctions): string {
  const chosen = String(context.getCurrentNodeParameter('event', { extractValue: true }) ?? '');
  return chosen.startsWith('=') ? '' : chosen;
}

async function partsOf<T>(context: ILoadOptionsFunctions, part: string): Promise<T[]> {
  const event = chosenEvent(context);
  if (event === '') return [];
  const found: T[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const answer: Page<T> = await call<Page<T>>(context, 'GET', `${path`/events/${event}/`}${part}`, {
      qs: filled({ limit: MAX_PAGE_ROWS, cursor }),
    });
    found.push(...answer.data);
    cursor = answer.page.next_cursor;
    if (cursor === null) break;
  }
  return found;
}

const options = async (context: ILoadOptionsFunctions, part: string): Promise<INodePropertyOptions[]> =>
  (await partsOf<Named>(context, part)).map(({ code, name, date }) => ({ name: name ?? date ?? code, value: code }));

export async function attendeeTypes(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return options(this, 'attendee-types');
}
export async function days(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return options(this, 'days');
}
export async function checkInPoints(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return options(this, 'check-in-points');
}

interface Product extends Named {
  per: 'attendee' | 'registration';
  visible: boolean;
  options: { code: string; name: string }[];
}
/** Products that can be taken, each option on its own: the value is `shirt`, or `shirt/m`. */
async function takenBy(context: ILoadOptionsFunctions, per: Product['per']): Promise<INodePropertyOptions[]> {
  const found = await partsOf<Product>(context, 'products');
  return found
    .filter((product) => product.visible && product.per === per)
    .flatMap(({ code, name, options: choices }) =>
      choices.length === 0
        ? [{ name: name ?? code, value: code }]
        : choices.map((one) => ({ name: `${name} (${one.name})`, value: `${code}/${one.code}` })),
    );
}
export async function products(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return takenBy(this, 'attendee');
}
export async function registrationProducts(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
  return takenBy(this, 'registration');
}

const TYPES: Record<string, FieldType> = { number: 'number', yes_no: 'boolean', choice: 'options', choices: 'array' };

/** The event's own questions as fields, those of the chosen attendee type only. */
export async function questions(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
  const type = this.getCurrentNodeParameter('attendeeType') as string | undefined;
  const asked = await partsOf<Question>(this, 'questions');
  return {
    fields: asked
      .filter(({ attendee_types }) => !type || attendee_types === null || attendee_types.includes(type))
      .map(
        ({ code, label, kind, required, options: choices }): ResourceMapperField => ({
          id: code,
          displayName: label,
          required: required && Boolean(type),
          defaultMatch: false,
          canBeUsedToMatch: false,
          display: true,
          type: TYPES[kind] ?? 'string',
          ...(kind === 'choice' && { options: (choices ?? []).map((one) => ({ name: one, value: one })) }),
        }),
      ),
  };
}
