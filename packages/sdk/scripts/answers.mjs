// Prints the answers that an OpenAPI document shows as examples, one operation a line, for the test that the SDK works with an older
// server: node packages/sdk/scripts/answers.mjs docs/reference/openapi.json > packages/sdk/test-data/answers-<date>.json
import { readFileSync } from 'node:fs';

const { paths } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const lines = Object.entries(paths).flatMap(([path, item]) =>
  Object.entries(item).flatMap(([method, { operationId, requestBody, responses }]) => {
    if (operationId === undefined) return [];
    const [status, success] = Object.entries(responses).find(([one]) => one.startsWith('2'));
    const answer = success.content?.['application/json']?.example;
    const body = requestBody?.content['application/json']?.example;
    return answer === undefined ? [] : [{ operation: operationId, method, path, status: Number(status), body, answer }];
  }),
);
console.log(`[\n${lines.map((line) => JSON.stringify(line)).join(',\n')}\n]`);
