import { Link } from '@tanstack/react-router';
import { PlusIcon, useWords } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { useSells } from '../../../frame/sells.ts';
import { NEW } from '../form/type-values.ts';
import './more.css';

/** What else can be sold, a line each. What is there already is in the navigation. */
export function More() {
  const t = useWords('selling');
  const { base } = useEvent();
  const { products, codes, limits } = useSells();
  if (products && codes && limits) return null;
  return (
    <ul className="tickets-more">
      {!products && (
        <li>
          <Link to="/$org/events/$event/tickets/products" params={base} search={{ product: NEW }}>
            <PlusIcon /> {t('addProduct')}
          </Link>
          <span className="soft small">{t('moreProducts')}</span>
        </li>
      )}
      {!codes && (
        <li>
          <Link to="/$org/events/$event/tickets/codes/new" params={base}>
            <PlusIcon /> {t('addCode')}
          </Link>
          <span className="soft small">{t('moreCodes')}</span>
        </li>
      )}
      {!limits && (
        <li>
          <Link to="/$org/events/$event/tickets/limits" params={base} search={{ limit: NEW }}>
            <PlusIcon /> {t('addLimit')}
          </Link>
          <span className="soft small">{t('moreLimits')}</span>
        </li>
      )}
    </ul>
  );
}
