import type { ButtonHTMLAttributes, ReactNode } from 'react';
import './css/controls.css';
import { Spinner } from './waiting.tsx';

export type ButtonKind = 'main' | 'usual' | 'quiet' | 'link' | 'danger' | 'danger-main';

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  kind?: ButtonKind;
  size?: 'usual' | 'small' | 'icon';
  /** As wide as its surroundings. */
  wide?: boolean;
  /** Something runs: it turns, and further clicks do nothing. It keeps the focus, unlike a disabled button. */
  busy?: boolean;
  disabled?: boolean;
  children?: ReactNode;
}

export function Button({ kind, size, wide, busy, disabled, onClick, children, type, ...rest }: ButtonProps) {
  const off = busy === true || disabled === true;
  return (
    <button
      type={type ?? 'button'}
      className="button"
      data-kind={kind ?? 'usual'}
      data-size={size}
      data-wide={wide || undefined}
      data-busy={busy || undefined}
      aria-disabled={off || undefined}
      onClick={(event) => {
        if (off) event.preventDefault();
        else onClick?.(event);
      }}
      {...rest}
    >
      {busy ? (
        <>
          <span>{children}</span>
          <Spinner />
        </>
      ) : (
        children
      )}
    </button>
  );
}
