// Starts the reference with the document of this server, signed in with the sandbox's public key if there is one.
const place = document.getElementById('reference');
const { module, document: address, key } = place.dataset;

const fresh = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Every POST needs a new Idempotency-Key, and nobody wants to type one. Requests to other servers cannot leave this page anyway. */
function send(input, init) {
  const request = new Request(input, init);
  if (request.method === 'POST' && !request.headers.get('Idempotency-Key')) {
    request.headers.set('Idempotency-Key', fresh());
  }
  return fetch(request);
}

/**
 * Some of the reference's parts make style sheets without the nonce, and the page's security policy refuses those. Here every style
 * sheet that a script of this page makes gets it. Scripts come from this server only.
 */
const nonce = document.querySelector('meta[property="csp-nonce"]').content;
const createElement = document.createElement;
document.createElement = function (name, options) {
  const element = createElement.call(this, name, options);
  if (String(name).toLowerCase() === 'style') element.nonce = nonce;
  return element;
};

const slug = (title) => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');

/** Links to the page that this one replaced: `#/Events/listEvents`. */
const redirect = (hash) => {
  const [, tag, operation] = /^#\/([^/]+)\/(\w+)$/.exec(decodeURIComponent(hash)) ?? [];
  return tag === undefined ? null : `#tag/${slug(tag.replaceAll('_', ' '))}/${operation}`;
};

/** What the reference lacks for screen readers and keyboards: names of buttons with a picture, and a focus for lists that scroll. */
function helpReaders() {
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])')) {
    button.setAttribute('aria-label', 'Copy');
  }
  for (const list of document.querySelectorAll('ul.endpoints:not([tabindex])')) list.tabIndex = 0;
}

/** The button for trying is left out where the sandbox would refuse; the text of the operation says why. */
function hideButtons(spec) {
  const tries = Object.values(spec.paths)
    .flatMap((item) => Object.values(item))
    .filter((operation) => operation['x-not-in-sandbox'])
    .map((operation) => `[id$="/${operation.operationId}"] .show-api-client-button`);
  if (tries.length === 0) return;
  const sheet = new CSSStyleSheet();
  sheet.insertRule(`${tries.join(',')} { display: none !important }`);
  document.adoptedStyleSheets.push(sheet);
}

try {
  const [{ createApiReference }, spec] = await Promise.all([
    import(module),
    fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status}`);
      return answer.json();
    }),
  ]);
  hideButtons(spec);
  createApiReference(place, {
    content: spec,
    slug: 'turnout',
    customFetch: send,
    authentication: {
      preferredSecurityScheme: 'apiKey',
      ...(key && { securitySchemes: { apiKey: { token: key } } }),
    },
    // Nothing is loaded from, sent to or linked at another server.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    documentDownloadType: 'none',
    // The samples of the document use the client libraries. Those that the reference makes itself are left out.
    hiddenClients: true,
    modelsSectionLabel: 'Schemas',
    orderSchemaPropertiesBy: 'preserve',
    // Addresses that stay the same when a title or a path is worded anew.
    generateTagSlug: ({ name }) => slug(name),
    generateOperationSlug: ({ operationId }) => operationId,
    generateWebhookSlug: ({ name }) => name,
    generateModelSlug: ({ name }) => name,
    redirect,
    setPageTitle: ({ title }) => `${title} · Turnout API reference`,
    onLoaded: () => {
      document.querySelector('.loading')?.remove();
      let waiting;
      const soon = () => {
        clearTimeout(waiting);
        waiting = setTimeout(helpReaders, 200);
      };
      new MutationObserver(soon).observe(document.body, { childList: true, subtree: true });
      helpReaders();
      document.documentElement.dataset.ready = '';
    },
  });
} catch (error) {
  place.textContent = `The reference could not be loaded (${error.message}). Reload the page to try again.`;
}
