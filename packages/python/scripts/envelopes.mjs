// The envelopes of webhooks as a union of types, so that checking `type` also tells what `data` is.
import { camel, docstring, literal } from './text.mjs';

export function envelopesText(document, types, head) {
  const envelope = document.components.schemas.WebhookEnvelope;
  const names = [];
  const classes = Object.entries(document.webhooks).map(([type, { post }]) => {
    const name = camel(type);
    names.push(name);
    const own = post.requestBody.content['application/json'].schema.allOf.find(({ $ref }) => $ref === undefined);
    const data = types.of(own.properties.data, { name: `${name}Data`, prefix: 'types.' });
    const lines = [`class ${name}(TypedDict):`, ...docstring([post.summary], '    '), ''];
    for (const [field, schema] of Object.entries(envelope.properties)) {
      if (field === 'type') lines.push(`    type: Literal[${literal(type)}]`);
      else if (field === 'data') lines.push(`    data: ${data}`);
      // A test event may come without it, as the contract says.
      else if (field === 'api_version') lines.push('    api_version: NotRequired[str]');
      else lines.push(`    ${field}: ${types.of(schema, { name: camel(field) })}`);
    }
    return lines.join('\n');
  });
  return [
    head,
    ...docstring(['What webhooks carry, by event type.'], ''),
    '',
    'from __future__ import annotations',
    '',
    'import sys',
    'from typing import Literal, Union',
    '',
    'from . import types',
    '',
    'if sys.version_info >= (3, 11):',
    '    from typing import NotRequired, TypeAlias, TypedDict',
    'else:',
    '    from typing_extensions import NotRequired, TypeAlias, TypedDict',
    '',
    '__all__ = [',
    '    "Envelope",',
    '    "EventType",',
    ...names.map((name) => `    ${literal(name)},`),
    ']',
    '',
    '',
    classes.join('\n\n\n'),
    '',
    '',
    `EventType: TypeAlias = Literal[\n${Object.keys(document.webhooks)
      .map((type) => `    ${literal(type)},`)
      .join('\n')}\n]`,
    '',
    `Envelope: TypeAlias = Union[\n${names.map((name) => `    ${name},`).join('\n')}\n]`,
    ...docstring(
      [
        'The signed body. Checking `type` also narrows `data`. An endpoint that subscribes to `*` also gets types that are added later, so ignore those that you do not know.',
      ],
      '',
    ),
    '',
  ].join('\n');
}
