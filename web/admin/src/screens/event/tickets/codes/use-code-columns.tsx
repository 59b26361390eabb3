import { linkOptions } from '@tanstack/react-router';
import type { Discount } from '@turnout/client';
import { Ago, CopyButton, Switch, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import type { DataColumn } from '../../../../parts/data-table.tsx';
import { overNewest } from '../../../../parts/over-newest.ts';
import { RowLink, useRowLinks } from '../../../../parts/row-link.tsx';
import { CodeState } from './code-state.tsx';
import { linkWith } from './discount-values.ts';
import { useGives } from './use-gives.ts';

/** The columns of the table of codes. */
export function useCodeColumns(edits: boolean): DataColumn<Discount>[] {
  const t = useWords('selling');
  const form = useWords('form');
  const formats = useFormats();
  const { base, event, money } = useEvent();
  const gives = useGives();
  const links = useRowLinks(
    (discount) => linkOptions({ to: '/$org/events/$event/tickets/codes/$discount', params: { ...base, discount } }),
    [base],
  );
  return useMemo<DataColumn<Discount>[]>(
    () => [
      {
        ...{ id: 'code', head: t('code'), always: true, card: 'title' },
        width: 'minmax(9rem, 1fr)',
        cell: (one) => (
          <RowLink to={links} id={one.id}>
            <bdi>{one.code}</bdi>
          </RowLink>
        ),
      },
      { id: 'name', head: form('name'), width: 'minmax(8rem, 1fr)', cell: (one) => <bdi>{one.name}</bdi> },
      { id: 'gives', head: t('gives'), card: 'line', width: 'minmax(12rem, 2fr)', cell: gives },
      {
        ...{ id: 'used', head: t('used'), align: 'end', width: '6rem' },
        cell: (one) =>
          one.max_people === null
            ? formats.number(one.used)
            : `${formats.number(one.used)} / ${formats.number(one.max_people)}`,
      },
      { id: 'given', head: t('given'), align: 'end', width: '6rem', cell: (one) => money(one.given_minor) },
      { id: 'state', head: t('stateHead'), card: 'end', width: '8rem', cell: (one) => <CodeState discount={one} /> },
      { id: 'note', head: t('note'), extra: true, cell: (one) => one.note },
      { id: 'changed', head: t('changedHead'), extra: true, cell: (one) => <Ago at={one.updated_at} /> },
      {
        ...{ id: 'link', head: t('link'), width: '6.5rem' },
        cell: (one) => (
          <CopyButton kind="link" text={linkWith(event.public_url, one.code)} what={t('linkOf', { code: one.code })}>
            {t('copyLink')}
          </CopyButton>
        ),
      },
      ...(edits
        ? [
            {
              ...{ id: 'active', head: t('active'), width: '4.5rem' },
              cell: (one: Discount) => <ActiveSwitch discount={one} />,
            },
          ]
        : []),
    ],
    [t, form, formats, gives, links, money, event.public_url, edits],
  );
}

/** Switches a code on or off at once. */
function ActiveSwitch({ discount }: { discount: Discount }) {
  const t = useWords('selling');
  const { base } = useEvent();
  const refresh = useRefresh();
  const at = { ...base, discount: discount.id };
  const change = useAction(async (active: boolean, _: { key: string }) => {
    await overNewest(
      () => call('getDiscount', at),
      (_, options) => call('changeDiscount', { ...at, body: { active } }, options),
    );
    await refresh('listDiscounts', 'getDiscount');
  });
  return (
    <Switch
      label={<span className="hidden">{t('activeOf', { code: discount.code })}</span>}
      value={discount.active}
      disabled={change.busy}
      onChange={(active) => void change.run(active)}
    />
  );
}
