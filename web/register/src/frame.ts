/** In a frame on another site, tells that site how high the page is, so that the frame grows with it. */
export function tellHeight(): void {
  if (parent === window || !document.body.classList.contains('embedded')) return;
  let sentHeight = 0;
  const tell = () => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === sentHeight) return;
    sentHeight = height;
    // The height is no secret, and the page does not know on which of the allowed sites it stands.
    parent.postMessage({ turnout: 'height', height }, '*');
  };
  new ResizeObserver(tell).observe(document.documentElement);
  tell();
}
