import { useFormats } from '@turnout/ui';
import { useEvent } from '../../../frame/event.tsx';
import { nextOpening } from './next-opening.ts';

/** When a point opens that was not open yet at a scan. `children`: what is said where nobody knows. It brings along the rules of the door. */
export function Opening({
  point,
  at,
  say,
  children,
}: {
  point: string | undefined;
  at: string;
  say: (values: { when: string }) => string;
  children: string;
}) {
  const event = useEvent();
  const formats = useFormats();
  const opens = point === undefined ? null : nextOpening(event, point, at);
  return opens === null ? children : say({ when: formats.dateTime(opens, event.timezone) });
}
