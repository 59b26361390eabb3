import { Button, type ButtonProps } from '@turnout/ui';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import './popup.css';

const MARGIN = 8;

/**
 * A button that opens a small panel below it, for controls such as checkboxes that one uses several times before it is closed. Escape,
 * a click elsewhere or leaving it with Tab closes it; the focus goes in when it opens, and back to the button when Escape closes it.
 */
export function Popup({
  name,
  label,
  button,
  end,
  children,
}: {
  /** The name of the panel for screen readers; of the button too, if its content is only a sign. */
  name: string;
  label: ReactNode;
  button?: ButtonProps;
  /** Opens towards the left, for a button at the right edge. */
  end?: boolean;
  children: ReactNode | ((close: () => void) => ReactNode);
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!open) return;
    panel.current?.querySelector<HTMLElement>('input, select, button, [tabindex]')?.focus();
    const away = (event: Event) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', away);
    document.addEventListener('focusin', away);
    return () => {
      document.removeEventListener('pointerdown', away);
      document.removeEventListener('focusin', away);
    };
  }, [open]);
  // Near the edge of a narrow screen it is moved back into it.
  useLayoutEffect(() => {
    const element = panel.current;
    if (!open || element === null) return;
    const { left, right } = element.getBoundingClientRect();
    const over = Math.max(0, right + MARGIN - document.documentElement.clientWidth);
    const under = Math.max(0, MARGIN - left);
    element.style.translate = `${under - Math.min(over, left - MARGIN)}px`;
  }, [open]);
  const close = () => {
    setOpen(false);
    box.current?.querySelector('button')?.focus();
  };
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !open) return;
    event.preventDefault();
    event.stopPropagation();
    close();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it hears the Escape of whatever is inside
    <div className="popup" ref={box} onKeyDown={press}>
      <Button
        {...button}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => setOpen(!open)}
      >
        {label}
      </Button>
      {open && (
        <div
          className="popover popup-panel"
          id={id}
          ref={panel}
          role="dialog"
          aria-label={name}
          data-end={end || undefined}
        >
          {typeof children === 'function' ? children(close) : children}
        </div>
      )}
    </div>
  );
}
