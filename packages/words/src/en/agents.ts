export default {
  lead: 'An agent is a program with a language model that works for somebody: it looks things up, registers people, prepares messages. It uses one of your keys.',
  allow: 'Let agents work with our keys',
  allowHint:
    'An agent may do exactly what its key may do, and the audit log names both. While this is off, no key works for agents.',
  on: 'Agents may work with your keys.',
  off: 'Agents may no longer work with your keys.',
  askTitle: 'Owners and admins turn agents on',
  askText: 'If your agent is told that agents are off, ask one of them.',
  connect: 'Connect an agent',
  connectLead:
    'Programs that know the Model Context Protocol need the address and a key. Many of them take both in a file like this one.',
  address: 'Address',
  configuration: 'Configuration',
  advice: 'Before you begin',
  adviceKey: 'Make a key for each agent, with the fewest scopes: Read is enough for looking things up.',
  adviceGroup: 'A key that is limited to a group shows the agent nothing else.',
  adviceTest: 'Try it with a test key first: it changes only test {@events}.',
  adviceText:
    'Names, answers and notes are written by strangers, and an agent may take them for instructions. Let your program ask you before it changes anything.',
  createKey: 'Create key',
} as const;
