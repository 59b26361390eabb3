import { Mark } from '@turnout/ui';
import './event-picture.css';

/**
 * The picture of an event, or a face made of its name: the same name has the same colours everywhere. `cover` is as wide as the place it
 * has, the other sizes are squares in a list and in the navigation.
 */
export function EventPicture({
  event,
  size,
}: {
  event: { name: string; image: string | null };
  size: 'small' | 'card' | 'cover';
}) {
  if (event.image !== null)
    return <img className="event-picture" data-size={size} src={event.image} alt="" loading="lazy" decoding="async" />;
  return (
    <span className="event-picture" data-size={size} data-hue={hueOf(event.name)} aria-hidden="true">
      {size !== 'cover' && <Mark name={event.name} />}
    </span>
  );
}

/** As many as the style sheet has colours for. */
const HUES = 6;

/** One of six pairs of colours, chosen by the letters of the name. */
export function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  return sum % HUES;
}
