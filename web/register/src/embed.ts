/**
 * Puts an event's form into somebody's site: `<script src="…/embed.js" data-event="summer-fair" async></script>`. The frame stands where
 * the script stands and grows with its content. It has no cookies; what was typed stands in the form itself.
 * Everything is inside a function, because names outside of it would be those of the site.
 */
(() => {
  const script = document.currentScript;
  if (!(script instanceof HTMLScriptElement)) return;
  const { event = '', lang, code, title = 'Registration' } = script.dataset;
  const pages = script.src.replace(/\/embed\.js(\?.*)?$/, '');
  const address = new URL(`${pages}/${encodeURIComponent(event)}`);
  address.searchParams.set('embed', '1');
  if (lang !== undefined) address.searchParams.set('lang', lang);
  if (code !== undefined) address.searchParams.set('code', code);
  const frame = document.createElement('iframe');
  frame.src = address.href;
  frame.title = title;
  frame.width = '100%';
  frame.height = '600';
  // Attributes of old instead of styles: the policy of the site may forbid styles.
  frame.setAttribute('frameborder', '0');
  frame.setAttribute('scrolling', 'no');
  frame.setAttribute('allowtransparency', 'true');
  script.after(frame);
  addEventListener('message', ({ data, origin, source }) => {
    if (source !== frame.contentWindow || origin !== address.origin || data?.turnout !== 'height') return;
    const height = Number(data.height);
    if (Number.isFinite(height)) frame.height = String(Math.min(Math.max(height, 100), 20_000));
  });
})();
