import { fieldsOf } from '@turnout/contract/person-fields';
import { type FormParts, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useEvent } from '../frame/event.tsx';
import { AnswerFields } from './answer-fields.tsx';
import { DaysField, GroupField, TypeField } from './event-fields.tsx';
import type { PersonValues } from './person-values.ts';
import { choicesAmong, productsFor } from './product-choices.ts';
import { ProductsField } from './products-field.tsx';
import { TypedField } from './typed-field.tsx';
import { useUnits } from './use-units.ts';

/** What PersonFields needs of a form whose values are one person: `<PersonFields {...personOf(form)} />`. */
export function personOf({ values, field, faultsIn }: FormParts<PersonValues>) {
  const keys = Object.keys(values) as (keyof PersonValues)[];
  const faults: Record<string, string> = {};
  for (const key of keys) {
    const { fault } = field(key);
    if (fault !== undefined) faults[key] = fault;
    for (const [path, inner] of Object.entries(faultsIn(key))) faults[`${key}/${path}`] = inner;
  }
  const change = <Key extends keyof PersonValues>(key: Key, value: PersonValues[Key]) => field(key).onChange(value);
  return {
    ...{ name: '', value: values, faults },
    onChange: (next: PersonValues) => {
      for (const key of keys) if (next[key] !== values[key]) change(key, next[key]);
    },
  };
}

type Part = 'name' | 'type' | 'contact' | 'more' | 'days' | 'products' | 'answers';
const EVERYTHING: readonly Part[] = ['name', 'type', 'days', 'products', 'contact', 'more', 'answers'];
const NAMES = fieldsOf('attendee', { kind: 'name' });
const CONTACT = [...fieldsOf('attendee', { kind: 'email' }), ...fieldsOf('attendee', { kind: 'phone' })];
const MORE = [...fieldsOf('attendee', { kind: 'date' }), ...fieldsOf('attendee', { kind: 'text' })];

/**
 * The fields of one person: who, which type, which days, what they take beside the ticket, how to reach them, the answers. `parts` says which of them and in which order.
 */
export function PersonFields({
  name,
  value,
  onChange: tell,
  faults = {},
  parts = EVERYTHING,
  lenient,
}: {
  /** The path in the form: `person`, or `attendees/0`; empty if the form is the person. */
  name: string;
  value: PersonValues;
  onChange: (value: PersonValues) => void;
  /** `faultsIn(name)` of the form. */
  faults?: Readonly<Record<string, string>>;
  parts?: readonly Part[];
  lenient?: boolean;
}) {
  const t = useWords('booking');
  const { types, days, questions, products } = useEvent();
  const { left } = useUnits();
  const takes = (person: PersonValues) => productsFor(products, person, { types, days });
  // Somebody with another type or other days is offered other products.
  const onChange = (next: PersonValues) =>
    tell(next.products === undefined ? next : { ...next, products: choicesAmong(next.products, takes(next)) });
  const type = types.find(({ code }) => code === value.attendee_type);
  const pathOf = (key: string) => (name === '' ? key : `${name}/${key}`);
  const field = <Name extends keyof PersonValues>(key: Name) => ({
    name: pathOf(key),
    value: value[key],
    onChange: (next: PersonValues[Name]) => onChange({ ...value, [key]: next }),
    fault: faults[key],
  });
  const below = (key: string) =>
    Object.fromEntries(
      Object.entries(faults).flatMap(([path, fault]) =>
        path.startsWith(`${key}/`) ? [[path.slice(key.length + 1), fault]] : [],
      ),
    );
  const typed = (key: (typeof NAMES | typeof CONTACT | typeof MORE)[number]) => (
    <TypedField key={key} field={key} {...field(key)} />
  );
  const drawn: Record<Part, ReactNode> = {
    name: (
      <div className="columns" key="name">
        {NAMES.map(typed)}
      </div>
    ),
    type: <TypeField key="type" {...field('attendee_type')} />,
    days: <DaysField key="days" type={type} late {...field('days')} />,
    products: value.products !== undefined && (
      <ProductsField
        key="products"
        label={t('products')}
        name={pathOf('products')}
        products={takes(value)}
        left={left}
        lenient
        value={value.products}
        fault={faults.products}
        onChange={(chosen) => onChange({ ...value, products: chosen })}
      />
    ),
    contact: (
      <div className="columns" key="contact">
        {CONTACT.map(typed)}
      </div>
    ),
    more: (
      <div className="columns" key="more">
        {MORE.map(typed)}
        <GroupField {...field('group')} />
      </div>
    ),
    answers: (
      <AnswerFields
        key="answers"
        name={pathOf('answers')}
        questions={questions}
        type={value.attendee_type}
        value={value.answers}
        onChange={(answers) => onChange({ ...value, answers })}
        faults={below('answers')}
        {...(lenient && { lenient })}
      />
    ),
  };
  return parts.map((part) => drawn[part]);
}
