import { posix, relative } from 'node:path';
import { build, type Plugin, parseAst, type Rolldown } from 'vite';

/** What the app calls, found in its sources without running it. */
export interface Uses {
  /** The operations, each with the files that call it. */
  operations: Map<string, string[]>;
  /** Addresses below /app/api that are opened by a link: `/{}/tickets/{}/pdf`, with `{}` for what differs. */
  addresses: string[];
  /** Calls whose operation cannot be read from the text. */
  unclear: string[];
}

/** The functions that call an operation, by the module that offers them. Their first argument names the operation. */
const CALLERS: Readonly<Record<string, readonly string[]>> = {
  'frame/api': ['call', 'queryOf', 'useCall', 'usePages'],
  'frame/all': ['useAll'],
  '@turnout/client': ['call'],
};
/** They pass on the name that they are given. */
const PASS_ON = ['frame/api', 'frame/all'];

/**
 * What is left of an app when everything was removed that cannot be reached from its entry: comments, types, modules that nobody
 * imports, functions that nobody uses, screens whose route is not among the app's routes. That is what a bundler does before it
 * writes files, so it is asked for that.
 */
export async function usesOf(root: string, entry: string, plugins: Plugin[] = []): Promise<Uses> {
  const built = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    plugins: [...plugins, withoutStyles],
    build: {
      write: false,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: posix.join(root, entry),
        // Libraries and the other packages of the repository call nothing by themselves.
        external: (id) => !/^[./\0]/.test(id),
        treeshake: { moduleSideEffects: (id) => id.endsWith(entry), manualPureFunctions: ['createRoute'] },
        output: { preserveModules: true, entryFileNames: '[name].js', chunkFileNames: '[name].js' },
      },
    },
  })) as Rolldown.RolldownOutput;
  const uses: Uses = { operations: new Map(), addresses: [], unclear: [] };
  const top = posix.join(root, posix.dirname(entry));
  for (const one of built.output)
    if (one.type === 'chunk' && one.facadeModuleId !== null) note(uses, relative(top, one.facadeModuleId), one.code);
  return uses;
}

const withoutStyles: Plugin = {
  name: 'without styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('.css') ? '\0styles' : null),
  load: (id) => (id === '\0styles' ? '' : null),
};

interface Node {
  type: string;
  [field: string]: unknown;
}

function note(uses: Uses, path: string, code: string): void {
  const program = parseAst(code) as unknown as Node;
  const module = path.replace(/\.\w+$/, '');
  const callers = PASS_ON.includes(module) ? new Set<string>() : callersIn(program, module);
  walk(program, (node) => {
    if (node.type === 'TemplateLiteral' || node.type === 'Literal') noteAddress(uses, node);
    const callee = node.callee as Node | undefined;
    if (node.type !== 'CallExpression' || callee?.type !== 'Identifier' || !callers.has(callee.name as string)) return;
    const named = namesIn((node.arguments as Node[])[0]);
    if (named === null) uses.unclear.push(path);
    for (const id of named ?? []) uses.operations.set(id, [...(uses.operations.get(id) ?? []), path]);
  });
}

/** What a module calls the functions that it imports to call operations. */
function callersIn(program: Node, module: string): Set<string> {
  const found = new Set<string>();
  for (const node of program.body as Node[]) {
    if (node.type !== 'ImportDeclaration') continue;
    const from = (node.source as { value: string }).value;
    const name = from.startsWith('.') ? posix.join(posix.dirname(module), from).replace(/\.js$/, '') : from;
    for (const { imported, local } of node.specifiers as { imported?: { name: string }; local: { name: string } }[])
      if (imported !== undefined && CALLERS[name]?.includes(imported.name)) found.add(local.name);
  }
  return found;
}

/** A name, or a choice between names. Null: it is something else. */
function namesIn(node: Node | undefined): string[] | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return [node.value];
  if (node?.type !== 'ConditionalExpression') return null;
  const [yes, no] = [namesIn(node.consequent as Node), namesIn(node.alternate as Node)];
  return yes === null || no === null ? null : [...yes, ...no];
}

function noteAddress(uses: Uses, node: Node): void {
  const parts = node.quasis as { value: { cooked: string } }[] | undefined;
  const text = parts?.map(({ value }) => value.cooked).join('{}') ?? node.value;
  if (typeof text === 'string' && text.startsWith('/app/api/'))
    uses.addresses.push(text.slice('/app/api'.length).replace(/\?.*$/s, ''));
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const value of Object.values(node))
    for (const one of Array.isArray(value) ? value : [value])
      if (typeof one === 'object' && one !== null && 'type' in one) walk(one as Node, visit);
}
