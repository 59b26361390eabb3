import { useNavigate } from '@tanstack/react-router';
import { Form, Submit, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { atCode } from '../../../events/at-code.ts';
import { CodePage } from './code-page.tsx';
import { CodeText } from './code-text.tsx';
import { DiscountFields } from './discount-fields.tsx';
import { emptyDiscount, newDiscount } from './discount-values.ts';
import { PricesWith } from './prices-with.tsx';

/** A new code. */
export default function NewCode() {
  const t = useWords('selling');
  const form = useWords('form');
  const { base } = useEvent();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [began] = useState(emptyDiscount);
  return (
    <CodePage title={t('newCode')}>
      <Form
        values={began}
        submit={(values, { key }) =>
          atCode(call('createDiscount', { ...base, body: newDiscount(values) }, { key }), t('codeTaken'))
        }
        done={({ id, code }) => {
          toast(form('added', { name: code }), 'good');
          void refresh('listDiscounts');
          // The form is left only after it knows that everything is saved.
          setTimeout(() =>
            navigate({ to: '/$org/events/$event/tickets/codes/$discount', params: { ...base, discount: id } }),
          );
        }}
      >
        {(parts) => (
          <div className="code-split">
            <div className="code-edit">
              <CodeText parts={parts} suggests />
              <DiscountFields parts={parts} />
              <div className="buttons">
                <Submit>{t('addCode')}</Submit>
              </div>
            </div>
            <PricesWith values={parts.values} />
          </div>
        )}
      </Form>
    </CodePage>
  );
}
