import type { AttendeeType, Day, Product, ProductChoice, Question } from '@turnout/client';
import { Badge, Button, Checkboxes, EmailField, TextField, useFormats, useWords } from '@turnout/ui';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import { AnswerField, questionsFor } from '../../../parts/answer-fields.tsx';
import { productsFor } from '../../../parts/product-choices.ts';
import { ProductsField } from '../../../parts/products-field.tsx';
import { useDayName } from './day-name.ts';
import './preview.css';

interface Screenful {
  type: AttendeeType | undefined;
  days: readonly Day[];
  questions: readonly Question[];
  products: readonly Product[];
  current: string | null;
}

/** The form of one type on a phone. */
export function Phone({ type, days, questions, products, current }: Screenful) {
  const t = useWords('form');
  const { event, types, money } = useEvent();
  const screen = useRef<HTMLElement>(null);
  const ownQuestions = type === undefined ? questions : questionsFor(questions, type.code);
  const isAsked =
    current === null || ownQuestions.some(({ id }) => id === current) || !questions.some(({ id }) => id === current);
  useShown(screen, current);
  const [chosen, setChosen] = useState<string[]>([]);
  const offered = days.filter(({ code }) => type?.days?.includes(code) ?? true);
  // Before a day is chosen, everything is shown that is offered on any of them.
  const comes = offered.filter(({ id }) => chosen.length === 0 || chosen.includes(id)).map(({ code }) => code);
  const ofPerson = productsFor(products, { attendee_type: type?.code ?? '', days: comes }, { types, days });
  return (
    <div className="phone">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section className="phone-screen" ref={screen} aria-label={t('previewForm')} tabIndex={0}>
        <div className="stack" data-gap="small">
          <div className="phone-title">
            <bdi>{event.name}</bdi>
          </div>
          {type !== undefined && (
            <div className="row" data-apart="">
              <bdi>{type.name || t('newType')}</bdi>
              <strong className="number">
                {type.current_price_minor === 0 ? t('free') : money(type.current_price_minor)}
              </strong>
            </div>
          )}
          {(type?.approval === true || event.registration.approval) && (
            <p className="soft small">{t('previewApproval')}</p>
          )}
        </div>
        {type !== undefined && !type.visible && <Badge tone="warn">{t('previewHidden')}</Badge>}
        {!isAsked && <Badge tone="warn">{t('previewNotAsked')}</Badge>}
        <Person />
        <DaysOf type={type} days={days} chosen={chosen} onChoose={setChosen} />
        <PreviewProducts label={t('previewProducts')} products={ofPerson} current={current} />
        <PreviewQuestions questions={ownQuestions} current={current} />
        <PreviewProducts
          label={t('previewForAll')}
          products={products.filter(({ per }) => per === 'registration')}
          current={current}
        />
        <Button kind="main" wide disabled>
          {t('register')}
        </Button>
      </section>
    </div>
  );
}

/** Brings the question that is being edited into view, inside the phone only. */
function useShown(screen: RefObject<HTMLElement | null>, current: string | null): void {
  useEffect(() => {
    const box = screen.current;
    const found = current === null ? null : box?.querySelector<HTMLElement>('[data-current]');
    if (!box || !found) return;
    const offset = found.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTop += offset - box.clientHeight / 3;
  }, [screen, current]);
}

function Person() {
  const t = useWords('person');
  const [person, setPerson] = useState({ first: '', last: '', email: '' });
  const field = (name: keyof typeof person) => ({
    value: person[name],
    onChange: (value: string) => setPerson({ ...person, [name]: value }),
    autoComplete: 'off',
  });
  return (
    <>
      <TextField label={t('first_name')} {...field('first')} />
      <TextField label={t('last_name')} {...field('last')} />
      <EmailField label={t('email')} {...field('email')} />
    </>
  );
}

function DaysOf({
  type,
  days,
  chosen,
  onChoose,
}: {
  type: AttendeeType | undefined;
  days: readonly Day[];
  chosen: string[];
  onChoose: (days: string[]) => void;
}) {
  const t = useWords('form');
  const person = useWords('person');
  const formats = useFormats();
  const nameOf = useDayName();
  const offered = days.filter(({ code }) => type?.days?.includes(code) ?? true);
  if (offered.length === 0) return null;
  if (type !== undefined && type.pass_days !== null)
    return (
      <div className="stack" data-gap="small">
        <div className="legend">{person('days')}</div>
        <p className="small">
          {type.pass_days >= offered.length
            ? t('previewPassAll')
            : t('previewPass', { count: type.pass_days, of: offered.length })}
        </p>
      </div>
    );
  return (
    <Checkboxes
      label={person('days')}
      value={chosen}
      onChange={onChoose}
      options={offered.map((day) => ({
        value: day.id,
        label: nameOf(day),
        ...(day.name !== day.date && { hint: formats.date(day.date) }),
      }))}
    />
  );
}

function PreviewProducts({
  label,
  products,
  current,
}: {
  label: string;
  products: readonly Product[];
  current: string | null;
}) {
  const [choices, setChoices] = useState<ProductChoice[]>([]);
  return (
    <ProductsField
      label={label}
      products={products.filter(({ visible }) => visible)}
      name="preview"
      value={choices}
      onChange={setChoices}
      current={current}
    />
  );
}

function PreviewQuestions({ questions, current }: { questions: readonly Question[]; current: string | null }) {
  const [answers, setAnswers] = useState<Readonly<Record<string, unknown>>>({});
  return questions.map((question) => {
    // Another kind has other answers.
    const key = `${question.id}/${question.kind}`;
    return (
      <div key={key} className="phone-question" data-current={question.id === current || undefined}>
        <AnswerField
          question={question}
          name={`preview/${question.id}`}
          required={question.required}
          value={answers[key]}
          fault={undefined}
          onChange={(answer) => setAnswers({ ...answers, [key]: answer })}
        />
      </div>
    );
  });
}
