import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { event } from '../Turnout/properties.ts';
import { searchEvents } from '../Turnout/shared/lists.ts';
import { isGenuine } from './signature.ts';
import { exists, subscribe, subscriptions, unsubscribe } from './subscription.ts';

interface Envelope extends IDataObject {
  type: string;
  livemode: boolean;
  data: IDataObject;
}

export class TurnoutTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Turnout Trigger',
    name: 'turnoutTrigger',
    icon: { light: 'file:../../icons/turnout.svg', dark: 'file:../../icons/turnout.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow when something happens in Turnout',
    defaults: { name: 'Turnout Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'turnoutApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Trigger On',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: [],
        options: [
          { name: 'New Check-In', value: 'checkin.recorded', description: 'Somebody is admitted at a check-in point' },
          { name: 'New Registration', value: 'registration.created', description: 'Somebody registers' },
          { name: 'Payment Received', value: 'payment.received' },
          { name: 'Registration Cancelled', value: 'registration.cancelled' },
          { name: 'Registration Confirmed', value: 'registration.confirmed' },
          { name: 'Ticket Issued', value: 'ticket.issued' },
        ],
      },
      { ...event, required: false, description: 'Leave it empty for all events' },
      {
        displayName: 'Options',
        name: 'options',
        type: 'collection',
        placeholder: 'Add option',
        default: {},
        options: [
          {
            displayName: 'Also Refused Scans',
            name: 'allScans',
            type: 'boolean',
            default: false,
            description: 'Whether scans that admitted nobody start the workflow, too',
          },
          {
            displayName: 'Also Test Activity',
            name: 'includeTest',
            type: 'boolean',
            default: false,
            description:
              'Whether things that were done in test mode start the workflow, too. With a test key they always do.',
          },
        ],
      },
    ],
  };

  methods = { listSearch: { searchEvents } };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        return exists(this);
      },
      async create(this: IHookFunctions): Promise<boolean> {
        return subscribe(this);
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        return unsubscribe(this);
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { rawBody } = this.getRequestObject();
    const header = String(this.getHeaderData()['service-signature'] ?? '');
    const by = Object.values(subscriptions(this)).find(({ secret }) => isGenuine(rawBody, header, secret));
    if (by === undefined) {
      this.getResponseObject().status(401).json({ error: 'The signature is not valid.' });
      return { noWebhookResponse: true };
    }
    // What was signed is what is used.
    const envelope = JSON.parse(rawBody.toString('utf8')) as Envelope;
    const { allScans, includeTest } = this.getNodeParameter('options', {}) as Record<string, boolean>;
    const events = this.getNodeParameter('events', []) as string[];
    const wanted =
      // Turnout's test event can be of any type.
      events.includes(envelope.type) &&
      (envelope.livemode || by.test || includeTest === true) &&
      (envelope.type !== 'checkin.recorded' || envelope.data.admitted === true || allScans === true);
    return wanted ? { workflowData: [this.helpers.returnJsonArray(envelope)] } : {};
  }
}
