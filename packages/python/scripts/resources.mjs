// The classes of resources, each once for programs that wait and once for asyncio and trio.
import { constantText } from './operations.mjs';
import { camel, docstring, literal, wrapped } from './text.mjs';

const OPTION_TEXTS = {
  idempotency_key:
    'Makes the call once, however often it is repeated within 24 hours. By default a new one for each call.',
  timeout: 'Seconds that an attempt may take. By default the one of the client.',
  max_retries: 'How often the call is tried again. By default as often as the client says.',
};

/** What `changes` is called where the list is not called `list`: `list_of_event` has `changes_of_event`. */
const changesName = (method) => method.replace(/^list/, 'changes');

function argumentLines(given) {
  const lines = [];
  for (const { argument, type, initial } of given) {
    lines.push(`        ${argument}: ${type}${initial === undefined ? '' : ` = ${initial}`},`);
  }
  return lines;
}

function optionsOf(http) {
  return [
    ...(http === 'POST' ? [{ argument: 'idempotency_key', type: 'str | None', initial: 'None' }] : []),
    { argument: 'timeout', type: 'float | None', initial: 'None' },
    { argument: 'max_retries', type: 'int | None', initial: 'None' },
  ].map((one) => ({ ...one, about: OPTION_TEXTS[one.argument] }));
}

function documentation(operation, given, extra) {
  const lines = given.flatMap(({ argument, about }) => {
    if (about === undefined) return [];
    const [first, ...rest] = wrapped(`${argument}: ${about.replaceAll(/\n+/g, ' ')}`, '            ');
    return [first, ...rest.map((line) => `    ${line}`)];
  });
  return docstring(
    [
      extra === undefined ? `${operation.summary}.` : extra,
      extra === undefined ? operation.description : undefined,
      lines.length === 0 ? undefined : ['        Args:', ...lines],
    ],
    '        ',
  );
}

const dictText = (given) =>
  given.length === 0 ? '{}' : `{${given.map(({ field, argument }) => `${literal(field)}: ${argument}`).join(', ')}}`;

const tupleText = (given) =>
  given.length === 1 ? `(${given[0].argument},)` : `(${given.map(({ argument }) => argument).join(', ')})`;

function head(name, { waits, positional, named, returns }) {
  return [
    `    ${waits ? 'async ' : ''}def ${name}(`,
    '        self,',
    ...argumentLines(positional),
    ...(positional.length === 0 ? [] : ['        /,']),
    '        *,',
    ...argumentLines(named),
    `    ) -> ${returns}:`,
  ];
}

function methodText(operation, asynchronous) {
  const { path_arguments, query, fields, file, http, reply } = operation;
  const options = optionsOf(http);
  const files = { csv: 'CsvFile', picture: 'PictureFile' };
  const abouts = {
    csv: 'The file: its text, its bytes, its path or an open file.',
    picture: 'The picture: its bytes, its path or an open file.',
  };
  const sent = file === undefined ? [] : [{ argument: 'file', type: files[file], about: abouts[file] }];
  const positional = [...path_arguments, ...sent];
  const named = [...query, ...fields, ...options];
  const page = asynchronous ? 'AsyncPages' : 'Page';
  const returns = reply.page ? `${page}[${reply.type}]` : reply.type;
  const waits = asynchronous && !reply.page;
  const parts = [operation.constant, tupleText(path_arguments)];
  if (query.length > 0) parts.push(`query=${dictText(query)}`);
  if (operation.hasBody) {
    const empty = operation.bodyRequired ? '' : ', or_none=True';
    parts.push(`body=given(${dictText(fields)}${empty})`);
  }
  if (file !== undefined) parts.push(`file=${file}(file)`);
  parts.push(`options=Options(${http === 'POST' ? 'idempotency_key' : 'None'}, timeout, max_retries)`);
  return [
    ...head(operation.method, { waits, positional, named, returns }),
    ...documentation(operation, [...positional, ...named]),
    `        ${reply.type === 'None' ? '' : 'return '}${waits ? 'await ' : ''}self.${reply.page ? '_page' : '_call'}(`,
    ...parts.map((part) => `            ${part},`),
    '        )',
  ].join('\n');
}

function changesText(operation, asynchronous) {
  const options = optionsOf('GET');
  const since = {
    argument: 'since',
    type: 'str | _dt.datetime | None',
    initial: 'None',
    about: '`since` of the last batch that you stored, or a time. Left out, everything counts as changed.',
  };
  const every = {
    argument: 'every',
    type: 'float | None',
    initial: 'None',
    about: 'Look again after so many seconds, without end. Left out, the walk ends when there is nothing new.',
  };
  const named = [since, every, ...operation.changes, ...options];
  const iterator = asynchronous ? 'AsyncIterator' : 'Iterator';
  return [
    ...head(changesName(operation.method), {
      waits: false,
      positional: operation.path_arguments,
      named,
      returns: `${iterator}[Batch[${operation.reply.type}]]`,
    }),
    ...documentation(
      operation,
      [...operation.path_arguments, ...named],
      'Walk over what changed since a bookmark, oldest change first, in batches.\n\nStore `since` of a batch together with what you made of its items: a program that goes on from there misses nothing and gets nothing twice. With a filter, what no longer matches it is not reported.',
    ),
    '        return self._changes(',
    `            ${operation.constant},`,
    `            ${tupleText(operation.path_arguments)},`,
    `            query=${dictText(operation.changes)},`,
    '            since=since,',
    '            every=every,',
    '            options=Options(None, timeout, max_retries),',
    '        )',
  ].join('\n');
}

function classText(resource, operations, asynchronous) {
  const name = `${asynchronous ? 'Async' : ''}${camel(resource)}`;
  const methods = operations.flatMap((operation) => [
    methodText(operation, asynchronous),
    ...(operation.changes === undefined ? [] : [changesText(operation, asynchronous)]),
  ]);
  return [
    `class ${name}(${asynchronous ? 'AsyncResource' : 'Resource'}):`,
    ...docstring([operations[0].about], '    '),
    '',
    methods.join('\n\n'),
  ].join('\n');
}

/** The text of one file below resources/. Only what is used is imported. */
export function resourceText(resource, operations, fileHead) {
  const body = [
    operations.map(constantText).join('\n'),
    '',
    '',
    classText(resource, operations, false),
    '',
    '',
    classText(resource, operations, true),
    '',
  ].join('\n');
  const code = body.replaceAll(/""".*?"""/gs, '');
  const uses = (word) => new RegExp(`\\b${word}\\b`).test(code);
  const names = (all) => all.filter(uses).join(', ');
  const standard = [
    ...(uses('builtins') ? ['import builtins'] : []),
    ...(uses('_dt') ? ['import datetime as _dt'] : []),
    ...(uses('_uuid') ? ['import uuid as _uuid'] : []),
    ...(uses('AsyncIterator') ? ['from collections.abc import AsyncIterator, Iterator'] : []),
    ...(uses('Literal') || uses('Any') ? [`from typing import ${names(['Any', 'Literal'])}`] : []),
  ];
  const own = [
    ...(uses('types') ? ['from .. import types'] : []),
    ...(uses('Batch') ? ['from ..._changes import Batch'] : []),
    ...(uses('file=\\w+') ? [`from ..._files import ${names(['CsvFile', 'PictureFile', 'csv', 'picture'])}`] : []),
    `from ..._operation import ${['OMIT', 'Omit', 'Operation', 'Options', 'given'].filter(uses).join(', ')}`,
    ...(uses('Page') ? ['from ..._pages import AsyncPages, Page'] : []),
    'from ..._resource import AsyncResource, Resource',
  ];
  return [
    fileHead,
    'from __future__ import annotations',
    '',
    ...standard,
    ...(standard.length > 0 ? [''] : []),
    ...own,
    '',
    body,
  ].join('\n');
}
