// Starts Swagger UI with the document of this server, signed in with the sandbox's public key if there is one.
const place = document.getElementById('reference');

const fresh = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * Makes the page call the server that it was loaded from. The published address may be another name of this server, which the page's
 * security policy does not allow it to call.
 */
function atHome(spec) {
  const here = (server) => {
    const mount = server.url.startsWith('{scanner_url}') ? '/api/v1' : '/v1';
    return { url: location.origin + mount, description: server.description };
  };
  spec.servers = spec.servers.map(here);
  for (const item of Object.values(spec.paths)) {
    for (const operation of Object.values(item)) operation.servers &&= operation.servers.map(here);
  }
  // Every call from this page is a new request. With one key filled in for all, the second would be refused.
  const key = spec.components.parameters.IdempotencyKeyParameter;
  if (key !== undefined) {
    key.required = false;
    key.description += ' If you leave it empty here, this page makes a new one for each call.';
    delete key.example;
  }
  return spec;
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
}

try {
  const answer = await fetch('/v1/openapi.json');
  if (!answer.ok) throw new Error(`${answer.status}`);
  const ui = window.SwaggerUIBundle({
    spec: atHome(await answer.json()),
    domNode: place,
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    defaultModelExpandDepth: 3,
    displayRequestDuration: true,
    filter: true,
    validatorUrl: null,
    syntaxHighlight: { theme: 'idea' },
    requestInterceptor: (request) => {
      if (request.method === 'POST' && !request.headers['Idempotency-Key'])
        request.headers['Idempotency-Key'] = fresh();
      return request;
    },
    onComplete: () => {
      if (place.dataset.key) ui.preauthorizeApiKey('apiKey', place.dataset.key);
    },
  });
} catch (error) {
  place.textContent = `The reference could not be loaded (${error.message}). Reload the page to try again.`;
}
