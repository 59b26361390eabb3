const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The page around the reference: which key it uses, and a first call to copy. */
export function referencePage(
  files: Record<string, string>,
  parts: { publicUrl: string; testKey: string | null },
): string {
  const { publicUrl, testKey } = parts;
  const key = html(testKey ?? '<API_KEY>');
  const curl = `curl -H "Authorization: Bearer ${key}" ${html(publicUrl)}/v1/me`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>Turnout API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files['swagger-ui.css']}">
<link rel="stylesheet" href="${files['reference.css']}">
<script src="${files['swagger-ui-bundle.js']}" defer></script>
<script src="${files['reference.js']}" type="module"></script>
</head>
<body>
<header class="top">
<p class="name">Turnout <span>API reference</span></p>
<nav><a href="/v1/openapi.json">OpenAPI 3.1</a></nav>
</header>
<main>
<section class="start" aria-label="Your first call">
${testKey === null ? ownKey() : sandboxKey(key)}
<div class="call"><code id="first-call">${curl}</code><button type="button" data-copy="first-call">Copy</button></div>
</section>
<div id="reference"${testKey === null ? '' : ` data-key="${key}"`}><p class="loading">Loading the reference …</p></div>
<noscript><p class="loading">This page needs JavaScript. The document itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</p></noscript>
</main>
</body>
</html>
`;
}

const sandboxKey = (key: string): string => `<h2>Try it right here</h2>
<p>This page is signed in with the public test key of the sandbox, an organization of made-up people that starts over every
night. Open an operation, press <b>Try it out</b>, then <b>Execute</b>: the call is real. The key reads everything there and
creates test objects. For your own organization, press <b>Authorize</b> and enter your own key.</p>
<p class="key"><span>Public test key</span> <code>${key}</code></p>`;

const ownKey = (): string => `<h2>Your first call</h2>
<p>Press <b>Authorize</b> and enter your API key; then open an operation, press <b>Try it out</b> and <b>Execute</b>. The key
stays in this page and is forgotten when you leave it.</p>`;
