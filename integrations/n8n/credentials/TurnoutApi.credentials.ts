import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

export class TurnoutApi implements ICredentialType {
  name = 'turnoutApi';

  displayName = 'Turnout API';

  icon = { light: 'file:../icons/turnout.svg', dark: 'file:../icons/turnout.dark.svg' } as const;

  documentationUrl = 'https://turnout.example.org/docs';

  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'address',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://turnout.example.org',
      description: 'The address that you open Turnout at',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        'An organizer makes it in Turnout, under Developers, with the scopes read and write, and scanner for check-ins',
    },
  ];

  // Every call names this app, also the one that tests the credential.
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: {
      headers: {
        Authorization: '=Bearer {{$credentials.apiKey.trim()}}',
        'X-Service-Client': 'n8n',
      },
    },
  };

  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{$credentials.address.trim().replace(/\\/+$/, "").replace(/\\/v1$/, "")}}/v1',
      url: '/me',
    },
  };
}
