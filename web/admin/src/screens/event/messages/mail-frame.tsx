import { useWords } from '@turnout/ui';
import { useEffect, useRef } from 'react';

/** Most mails are shorter, so that what stands below the frame does not move when it has been drawn. As in messages.css. */
const LEAST_HEIGHT = 384;

/**
 * A mail as it looks. It stands in a frame of its own that runs no scripts. The page's policy also holds in there and stops styles that
 * are written into a text, so they are put aside (the server escapes quotes in what people typed, so the pattern is only ever an
 * attribute) and set one by one afterwards, which the policy allows.
 */
export function MailFrame({ html, title }: { html: string; title?: string }) {
  const t = useWords('messages');
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => {
    const element = frame.current!;
    const sheets: string[] = [];
    const text = html
      .replaceAll(/<style[^>]*>([\s\S]*?)<\/style>/g, (_, css: string) => {
        sheets.push(css);
        return '';
      })
      .replaceAll(/<script[\s\S]*?<\/script>/g, '')
      .replaceAll(' style="', ' data-style="');
    const dress = () => {
      const inside = element.contentDocument;
      if (inside === null || inside.body === null) return;
      for (const styled of inside.querySelectorAll<HTMLElement>('[data-style]'))
        styled.style.cssText = styled.dataset.style!;
      const own = inside.defaultView as (Window & { CSSStyleSheet: typeof CSSStyleSheet }) | null;
      if (own !== null) {
        inside.adoptedStyleSheets = sheets.map((css) => {
          const sheet = new own.CSSStyleSheet();
          sheet.replaceSync(css);
          return sheet;
        });
      }
      element.style.height = `${Math.max(LEAST_HEIGHT, inside.documentElement.scrollHeight)}px`;
    };
    element.addEventListener('load', dress);
    element.srcdoc = text;
    return () => element.removeEventListener('load', dress);
  }, [html]);
  return <iframe ref={frame} className="mail-frame" title={title ?? t('previewFrame')} sandbox="allow-same-origin" />;
}
