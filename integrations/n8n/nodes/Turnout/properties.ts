import type { INodeProperties } from 'n8n-workflow';

const REGISTERING = { resource: ['registration'], operation: ['create', 'addAttendee'] };
const CHECK_IN = { resource: ['checkIn'], operation: ['record'] };
const TICKET = { resource: ['ticket'], operation: ['issue'] };
const CREATING = { resource: ['registration'], operation: ['create'] };
const FINDING = { resource: ['registration'], operation: ['find'] };
export const resources: INodeProperties[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options: [
      { name: 'Check-In', value: 'checkIn' },
      { name: 'Registration', value: 'registration' },
      { name: 'Ticket', value: 'ticket' },
    ],
    default: 'registration',
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['registration'] } },
    options: [
      {
        name: 'Add Attendee',
        value: 'addAttendee',
        description: 'Add a person to a registration',
        action: 'Add an attendee to a registration',
      },
      {
        name: 'Create',
        value: 'create',
        description: 'Register a person, by the same rules as the form of the event',
        action: 'Create a registration',
      },
      {
        name: 'Find',
        value: 'find',
        description: 'Find registrations by reference, email address or name',
        action: 'Find registrations',
      },
    ],
    default: 'create',
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['ticket'] } },
    options: [
      {
        name: 'Issue',
        value: 'issue',
        description: 'Issue another ticket to an attendee',
        action: 'Issue a ticket',
      },
    ],
    default: 'issue',
  },
  {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: ['checkIn'] } },
    options: [
      {
        name: 'Record',
        value: 'record',
        description: 'Scan a ticket at a check-in point',
        action: 'Record a check in',
      },
    ],
    default: 'record',
  },
];

export const event: INodeProperties = {
  displayName: 'Event',
  name: 'event',
  type: 'resourceLocator',
  default: { mode: 'list', value: '' },
  required: true,
  modes: [
    {
      displayName: 'From List',
      name: 'list',
      type: 'list',
      typeOptions: { searchListMethod: 'searchEvents', searchable: true },
    },
    { displayName: 'ID or Code', name: 'id', type: 'string', placeholder: 'summer-fair' },
  ],
};

const productChoices = (
  name: string,
  displayName: string,
  description: string,
  loadOptionsMethod: string,
  show: NonNullable<INodeProperties['displayOptions']>['show'] & {},
): INodeProperties => ({
  displayName,
  name,
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Product',
  default: {},
  description,
  displayOptions: { show },
  options: [
    {
      displayName: 'Product',
      name: 'values',
      values: [
        {
          displayName: 'Product Name or ID',
          name: 'product',
          type: 'options',
          typeOptions: { loadOptionsMethod, loadOptionsDependsOn: ['event.value'] },
          default: '',
          required: true,
          description:
            'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
        },
        {
          displayName: 'Quantity',
          name: 'quantity',
          type: 'number',
          typeOptions: { minValue: 1, maxValue: 100 },
          default: 1,
        },
      ],
    },
  ],
});

const registration: INodeProperties[] = [
  {
    displayName: 'Registration',
    name: 'registration',
    type: 'string',
    default: '',
    required: true,
    description: 'The ID or the reference of the registration',
    displayOptions: { show: { resource: ['registration'], operation: ['addAttendee'] } },
  },
  {
    displayName: 'Attendee Type Name or ID',
    name: 'attendeeType',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'attendeeTypes', loadOptionsDependsOn: ['event.value'] },
    default: '',
    required: true,
    description:
      'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    displayOptions: { show: REGISTERING },
  },
  {
    displayName: 'First Name',
    name: 'firstName',
    type: 'string',
    default: '',
    required: true,
    displayOptions: { show: REGISTERING },
  },
  {
    displayName: 'Last Name',
    name: 'lastName',
    type: 'string',
    default: '',
    required: true,
    displayOptions: { show: REGISTERING },
  },
  {
    displayName: 'Email',
    name: 'email',
    type: 'string',
    placeholder: 'name@email.com',
    default: '',
    displayOptions: { show: REGISTERING },
  },
  {
    displayName: 'Day Names or IDs',
    name: 'days',
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'days', loadOptionsDependsOn: ['event.value'] },
    default: [],
    description:
      'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    displayOptions: { show: REGISTERING },
  },
  {
    displayName: 'Answers',
    name: 'answers',
    type: 'resourceMapper',
    default: { mappingMode: 'defineBelow', value: null },
    noDataExpression: true,
    typeOptions: {
      loadOptionsDependsOn: ['event.value', 'attendeeType'],
      resourceMapper: {
        resourceMapperMethod: 'questions',
        mode: 'add',
        fieldWords: { singular: 'answer', plural: 'answers' },
        addAllFields: false,
        supportAutoMap: false,
        hideNoDataError: true,
      },
    },
    displayOptions: { show: REGISTERING },
  },
  productChoices('products', 'Products', 'What this person takes beside the ticket', 'products', REGISTERING),
  productChoices(
    'registrationProducts',
    'Products for the Registration',
    'What is taken once for the whole registration, such as parking',
    'registrationProducts',
    CREATING,
  ),
];

const finding: INodeProperties[] = [
  {
    displayName: 'Find By',
    name: 'findBy',
    type: 'options',
    options: [
      { name: 'Email', value: 'email', description: 'Of whoever registered, or of one of the attendees' },
      { name: 'ID or Reference', value: 'reference' },
      { name: 'Name', value: 'search', description: 'Words of a name, in any order' },
    ],
    default: 'email',
    displayOptions: { show: FINDING },
  },
  {
    displayName: 'Value',
    name: 'value',
    type: 'string',
    default: '',
    required: true,
    description: 'What to look for',
    displayOptions: { show: FINDING },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 200 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: FINDING },
  },
];

const door: INodeProperties[] = [
  {
    displayName: 'Check-In Point Name or ID',
    name: 'checkInPoint',
    type: 'options',
    typeOptions: { loadOptionsMethod: 'checkInPoints', loadOptionsDependsOn: ['event.value'] },
    default: '',
    required: true,
    description:
      'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    displayOptions: { show: CHECK_IN },
  },
  {
    displayName: 'Ticket Code',
    name: 'code',
    type: 'string',
    default: '',
    required: true,
    displayOptions: { show: CHECK_IN },
  },
];

const ticket: INodeProperties[] = [
  {
    displayName: 'Attendee ID',
    name: 'attendee',
    type: 'string',
    default: '',
    required: true,
    displayOptions: { show: TICKET },
  },
  {
    displayName: 'Day Names or IDs',
    name: 'days',
    type: 'multiOptions',
    typeOptions: { loadOptionsMethod: 'days', loadOptionsDependsOn: ['event.value'] },
    default: [],
    description:
      'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
    displayOptions: { show: TICKET },
  },
];

const retryKey: INodeProperties = {
  displayName: 'Retry Key',
  name: 'retryKey',
  type: 'string',
  default: '',
  description:
    'A text that is the same when a failed execution is run again, such as the ID of the record that it is about. Without it, only the retries within one execution do nothing twice.',
};

const additional: INodeProperties[] = [
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: REGISTERING },
    options: [
      {
        displayName: 'Discount Code',
        name: 'discountCode',
        type: 'string',
        default: '',
        displayOptions: { show: { '/operation': ['create'] } },
      },
      { displayName: 'Phone', name: 'phone', type: 'string', default: '' },
      retryKey,
      {
        displayName: 'Send Emails',
        name: 'sendEmails',
        type: 'boolean',
        default: true,
        description: 'Whether Turnout mails the confirmation and the tickets',
        displayOptions: { show: { '/operation': ['create'] } },
      },
      {
        displayName: 'Your Own ID',
        name: 'externalId',
        type: 'string',
        default: '',
        description: 'The ID that this person has in another system',
      },
    ],
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: TICKET },
    options: [retryKey],
  },
  {
    displayName: 'Additional Fields',
    name: 'additionalFields',
    type: 'collection',
    placeholder: 'Add Field',
    default: {},
    displayOptions: { show: CHECK_IN },
    options: [
      retryKey,
      {
        displayName: 'Time of the Scan',
        name: 'scannedAt',
        type: 'dateTime',
        default: '',
      },
    ],
  },
];

export const properties: INodeProperties[] = [
  ...resources,
  event,
  ...registration,
  ...finding,
  ...door,
  ...ticket,
  ...additional,
];
