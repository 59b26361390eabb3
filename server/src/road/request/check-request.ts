import type { FastifyRequest } from 'fastify';
import { type Fault, refuse } from '../../common/refusal.ts';
import { timesSent } from '../gate/identify.ts';
import type { Operation } from '../operation.ts';
import { hasBody } from './edge.ts';
import { waysToSend } from './upload.ts';
import { bodyCheck, NOTHING, queryCheck } from './validate.ts';

const MAX_REFERENCE = 500;

/** Checks what a request brings: its path, query, headers and body. */
export type CheckRequest = (request: FastifyRequest) => { body: unknown; faults: Fault[] };

/** Made once per route, because a check keeps its compiled schema. */
export function requestCheck(operation: Operation): CheckRequest {
  const checkBody = operation.body === undefined ? null : bodyCheck(operation.body);
  const checkQuery = queryCheck(operation.query ?? NOTHING);
  return (request) => {
    requirePossible(request.params as Record<string, string>);
    const faults = checkQuery(request.query);
    for (const [path, value] of Object.entries(request.query as Record<string, unknown>)) {
      if (String(value).includes('\u0000')) faults.push({ path, message: 'must not contain U+0000' });
    }
    faults.push(...clientFaults(request));
    // A missing body counts as `{}`. A body that was sent is checked as it is: null is not an object.
    const body = request.body === undefined || request.upload !== null ? {} : request.body;
    if (operation.file?.field === null) {
      if (request.upload === null)
        faults.push({ path: 'file', message: `is required: send it as ${waysToSend(operation.file)}` });
    } else if (checkBody === null) {
      if (!isEmpty(body) || hasUnreadBody(request)) faults.push({ path: '', message: 'this operation takes no body' });
    } else if (request.upload === null) {
      faults.push(...checkBody(body));
    }
    return { body: operation.method === 'GET' ? undefined : body, faults };
  };
}

/** PostgreSQL stores no U+0000, and no code is very long, so nothing can have such a name. */
export function requirePossible(params: Record<string, string>): void {
  if (Object.values(params).some((value) => value.includes('\u0000') || value.length > MAX_REFERENCE)) {
    refuse('not_found');
  }
}

const CLIENT = /^\P{Cc}{0,100}$/u;

/** The name that the app of an automation platform gives itself. An empty name counts as none. */
export function clientName(request: FastifyRequest): string | null {
  const value = request.headers['x-service-client'];
  return typeof value === 'string' && value !== '' ? value : null;
}

function clientFaults(request: FastifyRequest): Fault[] {
  const name = clientName(request);
  if (name === null || (CLIENT.test(name) && timesSent(request, 'x-service-client') === 1)) return [];
  return [
    {
      path: 'X-Service-Client',
      message: 'must be at most 100 characters, none of them a control character, and sent once',
    },
  ];
}

/** `{}` counts as no body: some clients send it with every call. */
const isEmpty = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0;

/** Fastify does not read the body of a GET. */
const hasUnreadBody = ({ method, raw }: FastifyRequest): boolean => method === 'GET' && hasBody(raw);
