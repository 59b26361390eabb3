import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type JsonObject,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { perform } from './operations.ts';
import { properties } from './properties.ts';
import {
  attendeeTypes,
  checkInPoints,
  days,
  products,
  questions,
  registrationProducts,
  searchEvents,
} from './shared/lists.ts';

export class Turnout implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Turnout',
    name: 'turnout',
    icon: { light: 'file:../../icons/turnout.svg', dark: 'file:../../icons/turnout.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: 'Register people, issue tickets and check people in with Turnout',
    defaults: { name: 'Turnout' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'turnoutApi', required: true }],
    properties,
  };

  methods = {
    listSearch: { searchEvents },
    loadOptions: { attendeeTypes, checkInPoints, days, products, registrationProducts },
    resourceMapping: { questions },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const done: INodeExecutionData[] = [];
    for (let item = 0; item < this.getInputData().length; item++) {
      try {
        for (const json of await perform(this, item)) done.push({ json, pairedItem: { item } });
      } catch (error) {
        if (this.continueOnFail()) {
          const { message, description } = error as NodeApiError;
          done.push({ json: { error: message, description }, pairedItem: { item } });
          continue;
        }
        if (error instanceof NodeOperationError) {
          throw new NodeOperationError(this.getNode(), error, { itemIndex: item });
        }
        throw new NodeApiError(this.getNode(), error as JsonObject, { itemIndex: item });
      }
    }
    return [done];
  }
}
