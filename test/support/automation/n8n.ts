import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Received } from '../receivers.ts';
import { npm } from './install.ts';

// biome-ignore lint/suspicious/noExplicitAny: what n8n's packages export belongs to packages that only this test installs
export type Loose = any;

/** n8n's own engine (n8n-core), with the nodes of our package as n8n would load them. */
export interface Engine {
  /** The classes of n8n-core and n8n-workflow. */
  core: Loose;
  workflow: Loose;
  nodeTypes: Loose;
  credentialType: Loose;
  folder: string;
}

/** Packs the package as it would be published, unpacks it and loads what n8n finds in it. */
export async function loadEngine(project: string): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-n8n-'));
  // n8n-core writes its settings there.
  process.env.N8N_USER_FOLDER = folder;
  const [{ filename }] = JSON.parse(npm(project, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder));
  // Below the project, so that the nodes find n8n's packages as they do in n8n.
  const unpacked = join(project, 'node_modules', '.packed');
  execFileSync('rm', ['-rf', unpacked]);
  mkdirSync(unpacked, { recursive: true });
  execFileSync('tar', ['-xzf', join(folder, filename), '-C', unpacked, '--strip-components=1']);
  const load = createRequire(join(project, 'package.json'));
  const [core, workflow] = [load('n8n-core'), load('n8n-workflow')];
  const loader = new core.PackageDirectoryLoader(unpacked);
  await loader.loadAll();
  const find = (name: string) => loader.getNode(name.split('.').at(-1)!).type;
  return {
    core,
    workflow,
    folder,
    credentialType: loader.getCredential('turnoutApi').type,
    nodeTypes: { getByName: find, getByNameAndVersion: find, getKnownTypes: () => loader.known.nodes },
  };
}

interface Credential {
  address: string;
  apiKey: string;
}

/** A workflow, turnout trigger → turnout, of somebody who has this credential. */
export class TestWorkflow {
  readonly #engine: Engine;
  readonly #credential: Credential;
  readonly workflow: Loose;
  readonly #webhookUrl: string;

  constructor(
    engine: Engine,
    credential: Credential,
    {
      trigger = { events: ['registration.created'] },
      action = {},
      settings = {},
      webhookUrl = 'https://hooks.example.org',
    }: Record<string, Loose> = {},
  ) {
    this.#engine = engine;
    this.#credential = credential;
    this.#webhookUrl = webhookUrl;
    const credentials = { turnoutApi: { id: '1', name: 'Turnout' } };
    const node = (name: string, type: string, parameters: object, more: object = {}) => ({
      id: name,
      name,
      type: `n8n-nodes-turnout.${type}`,
      typeVersion: 1,
      position: [0, 0],
      parameters,
      credentials,
      ...more,
    });
    this.workflow = new engine.workflow.Workflow({
      id: 'w1',
      name: 'Test workflow',
      active: true,
      nodes: [
        node('Trigger', 'turnoutTrigger', trigger, { webhookId: 'hook' }),
        node('Turnout', 'turnout', action, settings),
      ],
      connections: { Trigger: { main: [[{ node: 'Turnout', type: 'main', index: 0 }]] } },
      nodeTypes: engine.nodeTypes,
      staticData: {},
    });
  }

  #resolve(value: unknown): unknown {
    const node = this.workflow.getNode('Turnout');
    const keys = { $credentials: this.#credential };
    return this.workflow.expression.getSimpleParameterValue(node, value, 'internal', keys, undefined, '');
  }

  #additional(more: object = {}): Loose {
    const { credentialType } = this.#engine;
    return {
      credentialsHelper: {
        getParentTypes: () => [],
        isCredentialUsableByNode: () => true,
        getDecrypted: async () => this.#credential,
        getCredentialsProperties: () => credentialType.properties,
        preAuthentication: async () => undefined,
        runPreAuthentication: async () => undefined,
        authenticate: async (_credentials: unknown, _type: string, options: Loose) => {
          const { headers } = credentialType.authenticate.properties;
          const resolved = Object.entries(headers).map(([name, value]) => [name, this.#resolve(value)]);
          return { ...options, headers: { ...options.headers, ...Object.fromEntries(resolved) } };
        },
      },
      webhookBaseUrl: `${this.#webhookUrl}/webhook`,
      webhookTestBaseUrl: `${this.#webhookUrl}/webhook-test`,
      webhookWaitingBaseUrl: `${this.#webhookUrl}/webhook-waiting`,
      formWaitingBaseUrl: `${this.#webhookUrl}/form-waiting`,
      variables: {},
      currentNodeExecutionIndex: 0,
      executionId: '1',
      ...more,
    };
  }

  /** The credential's test, as n8n makes it: the request that it names, signed in as it says. */
  async testCredential(): Promise<Loose> {
    const { baseURL, url } = this.#engine.credentialType.test.request;
    const { HookContext } = this.#engine.core;
    const context = new HookContext(this.workflow, this.workflow.getNode('Trigger'), this.#additional(), 'internal');
    return context.helpers.httpRequestWithAuthentication.call(context, 'turnoutApi', {
      url: `${this.#resolve(baseURL)}${url}`,
    });
  }

  /** `checkExists`, `create` or `delete` of the trigger. */
  hook(method: 'checkExists' | 'create' | 'delete', isTest = false): Promise<boolean> {
    const node = this.workflow.getNode('Trigger');
    const type = this.#engine.nodeTypes.getByName('turnoutTrigger');
    const mode = isTest ? 'manual' : 'trigger';
    const webhook = { isTest, webhookDescription: type.description.webhooks[0] };
    const context = new this.#engine.core.HookContext(
      this.workflow,
      node,
      this.#additional(),
      mode,
      'activate',
      webhook,
    );
    return type.webhookMethods.default[method].call(context);
  }

  /** What the trigger makes of a request. `status` is what it answered by itself. */
  async receive({ body, headers }: Received): Promise<{ status: number | null; items: Loose[] }> {
    let status: number | null = null;
    const response = {
      status: (code: number) => {
        status = code;
        return response;
      },
      json: () => response,
    };
    const httpRequest = { headers, body: JSON.parse(body.toString()), rawBody: body, params: {}, query: {} };
    const type = this.#engine.nodeTypes.getByName('turnoutTrigger');
    const context = new this.#engine.core.WebhookContext(
      this.workflow,
      this.workflow.getNode('Trigger'),
      this.#additional({ httpRequest, httpResponse: response }),
      'webhook',
      { isTest: false, webhookDescription: type.description.webhooks[0] },
      [],
      null,
    );
    const answer = await type.webhook.call(context);
    return { status, items: answer.workflowData?.[0] ?? [] };
  }

  /** Runs the workflow in n8n's executor from these items of the trigger on. */
  async run(items: object[] = [{ json: {} }], executionId = '1'): Promise<{ items: Loose[]; error: Loose }> {
    const { WorkflowExecute, ExecutionLifecycleHooks } = this.#engine.core;
    const additional = this.#additional({ executionId });
    additional.hooks = new ExecutionLifecycleHooks('webhook', executionId, { id: 'w1', name: 'Test workflow' });
    const data = this.#engine.workflow.createRunExecutionData({
      executionData: {
        contextData: {},
        metadata: {},
        waitingExecution: {},
        waitingExecutionSource: {},
        nodeExecutionStack: [{ node: this.workflow.getNode('Trigger'), data: { main: [items] }, source: null }],
      },
    });
    const result = await new WorkflowExecute(additional, 'webhook', data).processRunExecutionData(this.workflow);
    const { runData, error } = result.data.resultData;
    return { items: runData.Turnout?.[0]?.data?.main[0]?.map(({ json }: Loose) => json) ?? [], error };
  }

  /** What a drop-down of the action lists. */
  load(kind: 'listSearch' | 'loadOptions' | 'resourceMapping', method: string, parameters: object, ...args: unknown[]) {
    const type = this.#engine.nodeTypes.getByName('turnout');
    const additional = this.#additional({ currentNodeParameters: parameters });
    const node = this.workflow.getNode('Turnout');
    const context = new this.#engine.core.LoadOptionsContext(this.workflow, node, additional, '');
    return type.methods[kind][method].call(context, ...args);
  }
}
