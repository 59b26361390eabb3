import { Button, CalendarIcon, useWords } from '@turnout/ui';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { CalendarProps } from './calendar.tsx';

// Most dates are typed or stay as they are; the calendar is loaded when somebody reaches for it.
const load = () => import('./calendar.tsx');
const Calendar = lazy(load);
const MARGIN = 8;

/** A button at the end of a field that opens a calendar. The browser closes it by Escape or a click elsewhere. */
export function CalendarButton({
  disabled,
  ...props
}: Omit<CalendarProps, 'onClose'> & { disabled?: boolean | undefined }) {
  const t = useWords('parts');
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const close = () => {
    panel.current?.hidePopover();
    panel.current?.parentElement?.querySelector('input')?.focus();
  };
  // It grows when the calendar was loaded, and its field may be at the foot of the screen.
  useEffect(() => {
    const element = panel.current;
    if (!open || element === null) return;
    const place = () => placeAt(element, element.parentElement!.getBoundingClientRect());
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    addEventListener('scroll', place, { capture: true, passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('scroll', place, { capture: true });
    };
  }, [open]);
  return (
    <>
      <Button
        kind="quiet"
        aria-label={t('openCalendar')}
        aria-haspopup="dialog"
        disabled={disabled ?? false}
        popoverTarget={id}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
      >
        <CalendarIcon />
      </Button>
      <div
        className="popover calendar-panel"
        id={id}
        ref={panel}
        popover="auto"
        role="dialog"
        aria-label={t('calendar')}
        onToggle={(event) => setOpen(event.newState === 'open')}
        // What is around it, such as a screen that goes to the next person with an arrow, does not hear its keys.
        onKeyDown={(event) => event.stopPropagation()}
      >
        {open && (
          <Suspense>
            <Calendar
              {...props}
              onChoose={(day) => {
                props.onChoose(day);
                if (props.time === undefined) close();
              }}
              onClear={
                props.onClear &&
                (() => {
                  props.onClear?.();
                  close();
                })
              }
              onClose={close}
            />
          </Suspense>
        )}
      </div>
    </>
  );
}

/** Below its field, or above it where there is more room, and never beyond the edges of the screen. */
function placeAt(element: HTMLElement, field: DOMRect): void {
  const { width, height } = element.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const fitsBelow = field.bottom + height + MARGIN <= clientHeight;
  const top = fitsBelow || field.top < height + MARGIN ? field.bottom + MARGIN / 2 : field.top - height - MARGIN / 2;
  element.style.top = `${Math.max(MARGIN, Math.min(top, clientHeight - height - MARGIN))}px`;
  element.style.left = `${Math.max(MARGIN, Math.min(field.right - width, clientWidth - width - MARGIN))}px`;
}
