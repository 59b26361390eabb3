import type { BookedProduct } from '@turnout/client';
import { lineTotal } from '@turnout/contract/discounts';
import { useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import './booked.css';
import { useLineText } from './line-text.ts';

type Line = Omit<BookedProduct, 'handed_out'> & { handed_out?: number };

/** The products that somebody has booked, each with what it costs and what was handed out. */
export function BookedLines({ label, lines }: { label: string; lines: readonly Line[] }) {
  const t = useWords('booking');
  const formats = useFormats();
  const { money } = useEvent();
  const lineText = useLineText();
  return (
    <ul className="booked" aria-label={label}>
      {lines.map((line) => {
        const { product, option, quantity, price_minor, discount_minor, handed_out = 0 } = line;
        const about = [
          quantity > 1 && price_minor > 0 && t('each', { price: money(price_minor) }),
          discount_minor > 0 && t('off', { amount: money(discount_minor) }),
          handed_out > 0 &&
            (quantity === 1
              ? t('handedOut')
              : t('handedOutOf', { count: handed_out, handed: formats.number(handed_out), of: quantity })),
        ].filter((text) => text !== false);
        return (
          <li key={`${product} ${option}`}>
            <span>
              <bdi>{lineText(line)}</bdi>
              {about.length > 0 && <span className="soft small number">{about.join(' · ')}</span>}
            </span>
            <span className="number">{lineTotal(line) === 0 ? t('free') : money(lineTotal(line))}</span>
          </li>
        );
      })}
    </ul>
  );
}
