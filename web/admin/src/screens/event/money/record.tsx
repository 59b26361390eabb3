import type { Registration } from '@turnout/client';
import {
  Button,
  Dialog,
  Form,
  Radios,
  Select,
  Skeleton,
  Submit,
  TextField,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useEffect, useState } from 'react';
import { call, useCall, usePages, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useDueCheck } from '../../../parts/due-check.ts';
import { MoneyField } from '../../../parts/fields.tsx';
import { StateBadge, useNameText } from '../../../parts/status.tsx';

const METHODS = ['cash', 'transfer', 'card', 'other'] as const;

/** Notes money that came in: first for whom, then how much. */
export function Record({ registration: given, onClose }: { registration: string | undefined; onClose: () => void }) {
  const t = useWords('payments');
  const { base } = useEvent();
  const [chosen, setChosen] = useState(given);
  const { data } = useCall(
    'getRegistration',
    { ...base, registration: chosen ?? 'none' },
    { enabled: chosen !== undefined },
  );
  return (
    <Dialog title={t('record')} onClose={onClose} wide>
      {chosen === undefined ? (
        <Find onChoose={setChosen} />
      ) : data === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <Amount registration={data} onOther={() => setChosen(undefined)} onClose={onClose} />
      )}
    </Dialog>
  );
}

const PAUSE_MS = 200;

function Find({ onChoose }: { onChoose: (id: string) => void }) {
  const t = useWords('payments');
  const { base, money } = useEvent();
  const [text, setText] = useState('');
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(text.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // Without a search, those who owe something are offered.
  const query = { limit: 10, ...(search === '' ? { balance: 'due' as const } : { search }) };
  const pages = usePages('listRegistrations', { ...base, query }, { keep: true });
  return (
    <div className="stack" data-gap="small">
      <TextField
        label={t('find')}
        hint={t('findHint')}
        type="search"
        required={false}
        value={text}
        onChange={setText}
      />
      <p className="soft small" role="status">
        {pages.rows === undefined
          ? '…'
          : pages.rows.length === 0
            ? t(search === '' ? 'nothingDue' : 'noneFound')
            : t(search === '' ? 'due' : 'found')}
      </p>
      <ul className="pick">
        {pages.rows?.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onChoose(one.id)}>
              <span>
                <strong>
                  <bdi>{nameOf(one)}</bdi>
                </strong>{' '}
                <span className="soft small">{one.code}</span>
              </span>
              <StateBadge kind="registration" value={one.status} />
              <span className="number">{one.balance_minor === null ? '' : money(one.balance_minor)}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

const nameOf = ({ contact, code }: Registration): string =>
  [contact.first_name, contact.last_name].filter(Boolean).join(' ') || code;

function Amount({
  registration,
  onOther,
  onClose,
}: {
  registration: Registration;
  onOther: () => void;
  onClose: () => void;
}) {
  const t = useWords('payments');
  const formats = useFormats();
  const { base } = useEvent();
  const names = useNameText();
  const refresh = useRefresh();
  const { currency, balance_minor } = registration;
  const due = balance_minor !== null && balance_minor > 0 ? balance_minor : null;
  const checkDue = useDueCheck(registration);
  return (
    <Form
      values={{
        amount_minor: due,
        method: 'transfer' as (typeof METHODS)[number] | '',
        reference: '',
        status: 'received' as 'received' | 'failed',
      }}
      submit={async ({ amount_minor, method, reference, status }, { key }) => {
        await checkDue(key);
        const body = {
          ...{ amount_minor: amount_minor ?? 0, currency, method: method || ('other' as const), status },
          ...(reference.trim() !== '' && { reference: reference.trim() }),
        };
        return call('recordPayment', { ...base, registration: registration.id, body }, { key });
      }}
      done={async (made) => {
        toast(t('recorded', { amount: formats.money(made.amount_minor, made.currency) }), 'good');
        onClose();
        await refresh(
          'listEventPayments',
          'reportMoney',
          'getRegistration',
          'listRegistrations',
          'listPayments',
          'getEventSummary',
        );
      }}
    >
      {({ field }) => (
        <>
          <div className="row" data-apart="">
            <span>
              <strong>
                <bdi>{nameOf(registration)}</bdi>
              </strong>{' '}
              <span className="soft small">{registration.code}</span>
            </span>
            <Button kind="link" onClick={onOther}>
              {t('another')}
            </Button>
          </div>
          <p className="soft">
            {due === null ? t('nothingToPay') : t('stillDue', { amount: formats.money(due, currency) })}
          </p>
          <MoneyField label={t('amount')} currency={currency} min={1} {...field('amount_minor')} />
          <Select
            label={t('method')}
            options={METHODS.map((value) => ({ value, label: names.method(value) }))}
            {...field('method')}
          />
          <TextField
            label={t('reference')}
            hint={t('referenceHint')}
            required={false}
            maxLength={200}
            {...field('reference')}
          />
          <Radios
            label={t('status')}
            options={[
              { value: 'received', label: t('isReceived') },
              { value: 'failed', label: t('isFailed'), hint: t('isFailedHint') },
            ]}
            {...field('status')}
          />
          <div className="buttons">
            <Submit>{t('record')}</Submit>
          </div>
        </>
      )}
    </Form>
  );
}
