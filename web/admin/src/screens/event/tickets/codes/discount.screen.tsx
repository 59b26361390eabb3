import { useNavigate, useParams } from '@tanstack/react-router';
import type { Discount } from '@turnout/client';
import { Button, Checkbox, CopyField, Facts, Form, Submit, toast, useFormats, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useCall, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { QueryResult } from '../../../../frame/query-result.tsx';
import { useClash } from '../../../../parts/clash.ts';
import { History } from '../../../../parts/history.tsx';
import { asShown, overNewest } from '../../../../parts/over-newest.ts';
import { atCode } from '../../../events/at-code.ts';
import { DeletePart } from '../../form/delete-part.tsx';
import { useMayEdit } from '../../form/form-page.tsx';
import { CodePage } from './code-page.tsx';
import { CodeState } from './code-state.tsx';
import { CodeText } from './code-text.tsx';
import { DiscountFields } from './discount-fields.tsx';
import { type DiscountValues, discountChange, discountValues, linkWith, sentDiscount } from './discount-values.ts';
import { PricesWith } from './prices-with.tsx';
import { useGives } from './use-gives.ts';

/** One code: what it gives, how often it was used, its link, and everything that can be set of it. */
export default function Code() {
  const t = useWords('selling');
  const { base } = useEvent();
  const { discount } = useParams({ from: '/$org/events/$event/tickets/codes/$discount' });
  const found = useCall('getDiscount', { ...base, discount });
  if (found.data === undefined)
    return (
      <CodePage title={t('code')}>
        <QueryResult query={found}>{() => null}</QueryResult>
      </CodePage>
    );
  return <CodeOf discount={found.data} />;
}

function CodeOf({ discount }: { discount: Discount }) {
  const form = useWords('form');
  const gives = useGives();
  const edits = useMayEdit();
  const [deleting, setDeleting] = useState(false);
  return (
    <CodePage
      title={discount.code}
      lead={
        <span className="row">
          <CodeState discount={discount} />
          <span>{gives(discount)}</span>
        </span>
      }
      actions={
        edits && (
          <Button kind="danger" onClick={() => setDeleting(true)}>
            {form('delete')}
          </Button>
        )
      }
    >
      <Usage discount={discount} />
      {edits && <EditCode discount={discount} />}
      <History object={discount.id} />
      {deleting && <DeleteCode discount={discount} onClose={() => setDeleting(false)} />}
    </CodePage>
  );
}

function Usage({ discount: { code, used, max_people, given_minor } }: { discount: Discount }) {
  const t = useWords('selling');
  const formats = useFormats();
  const { event, money } = useEvent();
  return (
    <div className="stack">
      <Facts
        facts={[
          [
            t('used'),
            <span key="used" className="number">
              {max_people === null
                ? t('usedBy', { count: used })
                : t('usedOf', { used: formats.number(used), most: formats.number(max_people) })}
            </span>,
          ],
          [
            t('given'),
            <span key="given" className="number">
              {money(given_minor)}
            </span>,
          ],
        ]}
      />
      <CopyField label={t('link')} text={linkWith(event.public_url, code)} />
    </div>
  );
}

function EditCode({ discount }: { discount: Discount }) {
  const t = useWords('selling');
  const form = useWords('form');
  const { base, money, timezone } = useEvent();
  const refresh = useRefresh();
  const clash = useClash('changeDiscount', {
    zone: timezone,
    textOf: (name, value) =>
      name === 'value' && discount.kind !== 'percent' && typeof value === 'number' ? money(value) : undefined,
  });
  const at = { ...base, discount: discount.id };
  // While somebody types, what others save meanwhile is not mixed in: it would look as if it had been typed here.
  const [before, setBefore] = useState(() => discountValues(discount));
  const save = async (now: DiscountValues) => {
    const body = discountChange(before, now);
    if (body === null) return discount;
    return overNewest(
      () => call('getDiscount', at),
      (saved, options) => {
        clash(sentDiscount(before), body, sentDiscount(discountValues(saved)));
        return atCode(call('changeDiscount', { ...at, body }, options), t('codeTaken'));
      },
    );
  };
  return (
    <Form
      values={before}
      submit={save}
      places={PLACES}
      done={(saved) => {
        setBefore(discountValues(saved));
        toast(form('saved', { name: saved.code }), 'good');
        void refresh('listDiscounts', 'getDiscount', 'listAuditLog');
      }}
    >
      {(parts) => (
        <div className="code-split">
          <div className="code-edit">
            <Checkbox label={t('active')} hint={t('activeHint')} {...parts.field('active')} />
            <CodeText parts={parts} />
            <DiscountFields parts={parts} />
            <div className="buttons">
              <Submit />
            </div>
          </div>
          <PricesWith values={parts.values} />
        </div>
      )}
    </Form>
  );
}
const PLACES = { 'clash/attendee_types': 'tickets', 'clash/products': 'goods' } as const;

function DeleteCode({ discount, onClose }: { discount: Discount; onClose: () => void }) {
  const t = useWords('selling');
  const form = useWords('form');
  const { base } = useEvent();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const { id, code, used } = discount;
  return (
    <DeletePart
      title={form('deleteTitle', { name: code })}
      used={used === 0 ? [] : [t('usedByPeople', { count: used })]}
      instead={t('deleteCodeInstead')}
      work={() =>
        asShown(
          discount,
          (options) => call('deleteDiscount', { ...base, discount: id }, options),
          () => refresh('getDiscount'),
        )
      }
      done={() => {
        toast(form('deleted', { name: code }), 'good');
        void refresh('listDiscounts');
        void navigate({ to: '/$org/events/$event/tickets/codes', params: base });
      }}
      onClose={onClose}
    >
      <p>{t('deleteCodeText')}</p>
    </DeletePart>
  );
}
