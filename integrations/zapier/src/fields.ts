import type { Bundle, PlainInputField, ZObject } from 'zapier-platform-core';
import { filled, firstPage, MAX_PAGE_ROWS, path } from './api.ts';

/** Fields that several triggers and actions have. */
export const event = {
  key: 'event',
  label: 'Event',
  type: 'string',
  required: true,
  dynamic: 'event_list.id.name',
  altersDynamicFields: true,
} as const satisfies PlainInputField;

export const anyEvent = {
  ...event,
  required: false,
  altersDynamicFields: false,
  helpText: 'Leave it empty for all events.',
} as const satisfies PlainInputField;

export const includeTest = {
  key: 'include_test',
  label: 'Also Test Activity',
  type: 'boolean',
  required: false,
  default: 'false',
  helpText: 'Whether things that were done in test mode trigger this Zap, too. With a test key they always do.',
} as const satisfies PlainInputField;

export const retryKey = {
  key: 'retry_key',
  label: 'Retry Key',
  type: 'string',
  required: false,
  helpText:
    'Something that differs from run to run, such as the id of the record that triggered the Zap. Within 24 hours, two runs of this step with the same values and the same retry key count as one, so a run that Zapier repeats does nothing twice.',
} as const satisfies PlainInputField;

export const days = {
  key: 'days',
  label: 'Days',
  type: 'string',
  list: true,
  required: false,
  dynamic: 'day_list.code.name',
} as const satisfies PlainInputField;

const SEVERAL = 'For several units, choose a product several times.';
const products = {
  key: 'products',
  label: 'Products',
  type: 'string',
  list: true,
  required: false,
  dynamic: 'product_list.choice.name',
  helpText: `What this person takes beside the ticket. ${SEVERAL}`,
} as const satisfies PlainInputField;

/** What is taken once for the whole registration. */
export const wholeRegistration: PlainInputField[] = [
  {
    ...products,
    key: 'registration_products',
    label: 'Products for the Registration',
    dynamic: 'registration_product_list.choice.name',
    helpText: `What is taken once for the whole registration, such as parking. ${SEVERAL}`,
  },
  { key: 'discount_code', label: 'Discount Code', type: 'string', required: false },
];

export const person: PlainInputField[] = [
  {
    key: 'attendee_type',
    label: 'Attendee Type',
    type: 'string',
    required: true,
    dynamic: 'attendee_type_list.code.name',
    altersDynamicFields: true,
  },
  { key: 'first_name', label: 'First Name', type: 'string', required: true },
  { key: 'last_name', label: 'Last Name', type: 'string', required: true },
  { key: 'email', label: 'Email', type: 'string', required: false },
  { key: 'phone', label: 'Phone', type: 'string', required: false },
  { ...days, helpText: 'Can be left empty where there is only one choice, and for a pass.' },
  products,
  {
    key: 'external_id',
    label: 'Your Own ID',
    type: 'string',
    required: false,
    helpText: 'The id that this person has in another system.',
  },
];

const ANSWER = 'answer__';
interface Question {
  code: string;
  label: string;
  kind: string;
  required: boolean;
  options: string[] | null;
  attendee_types: string[] | null;
}

/** The event's own questions as fields, those of the chosen attendee type only. */
export async function questions(z: ZObject, bundle: Bundle): Promise<PlainInputField[]> {
  const { event: of, attendee_type: type } = bundle.inputData;
  if (!of) return [];
  const asked = (await firstPage(z, path`/events/${of}/questions`, { limit: MAX_PAGE_ROWS })) as unknown as Question[];
  return asked
    .filter(({ attendee_types }) => !type || attendee_types === null || attendee_types.includes(String(type)))
    .map(({ code, label, kind, required, options }) => ({
      key: ANSWER + code,
      label,
      required: required && Boolean(type),
      type: kind === 'number' ? 'number' : kind === 'yes_no' ? 'boolean' : kind === 'long_text' ? 'text' : 'string',
      ...(kind === 'choices' && { list: true }),
      ...(options !== null && { choices: options }),
    }));
}

/** What was chosen in a list of products, as the API takes it: a product that was chosen twice is two units. */
export function productsOf(chosen: unknown): Record<string, unknown>[] {
  const choices = [chosen ?? []].flat().map((one) => String(one).trim());
  const units = new Map<string, number>();
  for (const choice of choices.filter(Boolean)) units.set(choice, (units.get(choice) ?? 0) + 1);
  return [...units].map(([choice, quantity]) => {
    const [product, option] = choice.split('/');
    return filled({ product, option, quantity });
  });
}

/** One attendee as the API takes it, from the fields above. */
export function attendeeOf({ inputData }: Bundle): Record<string, unknown> {
  const { attendee_type, first_name, last_name, email, phone, external_id, days: chosen, products: taken } = inputData;
  const answers = filled(
    Object.fromEntries(
      Object.entries(inputData).flatMap(([key, value]) =>
        key.startsWith(ANSWER) ? [[key.slice(ANSWER.length), value]] : [],
      ),
    ),
  );
  return filled({
    attendee_type,
    first_name,
    last_name,
    email,
    phone,
    external_id,
    days: chosen,
    products: productsOf(taken),
    ...(Object.keys(answers).length > 0 && { answers }),
  });
}
