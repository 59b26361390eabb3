import { useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { type DiscountValues, pricesWith } from './discount-values.ts';

/** What people pay with the code, while it is typed. */
export function PricesWith({ values }: { values: DiscountValues }) {
  const t = useWords('selling');
  const { types, products, money } = useEvent();
  const prices = pricesWith(values, types, products);
  const form = useWords('form');
  const text = (minor: number) => (minor === 0 ? form('free') : money(minor));
  return (
    <section className="code-prices" aria-label={t('pricesWith')}>
      <h2>{t('pricesWith')}</h2>
      {prices.length === 0 ? (
        <p className="soft small">{t('givesNothing')}</p>
      ) : (
        <dl>
          {prices.map(({ id, name, before, after }) => (
            <div key={id}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd className="number">
                {after !== before && (
                  <del className="soft">
                    <span className="hidden">{t('insteadOf')} </span>
                    {text(before)}
                  </del>
                )}{' '}
                <strong>{text(after)}</strong>
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
