const html = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

export interface PageFiles {
  /** The files of ours, by name. */
  own: Readonly<Record<string, string>>;
  /** The module of the reference, and those that it loads at once. */
  modules: readonly string[];
  document: string;
}

/** The page around the reference, with what it shows until that is loaded. */
export function referencePage(files: PageFiles, parts: { testKey: string | null; nonce: string }): string {
  const { testKey, nonce } = parts;
  const [main, ...others] = files.modules;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Every operation of the Turnout API, with examples to try.">
<meta property="csp-nonce" content="${nonce}">
<title>Turnout API reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${files.own['reference.css']}">
<link rel="preload" as="fetch" crossorigin href="${files.document}">
<link rel="modulepreload" href="${main}">
${others.map((address) => `<link rel="modulepreload" href="${address}">`).join('\n')}
<script src="${files.own['reference.js']}" type="module"></script>
</head>
<body>
<div id="reference" data-module="${main}" data-document="${files.document}"${testKey === null ? '' : ` data-key="${html(testKey)}"`}></div>
<main class="loading"><h1>Turnout API reference</h1><p>Loading …</p></main>
<noscript><p class="loading">This page needs JavaScript. The document itself is at <a href="/v1/openapi.json">/v1/openapi.json</a>.</p></noscript>
</body>
</html>
`;
}
