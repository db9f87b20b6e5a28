export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const LIST = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const listOf = (resources: unknown[], total = resources.length, startIndex = 1) => ({
  schemas: [LIST],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

const no = { supported: false }

/** What this directory can do, for programs that ask first. */
export const serviceProviderConfig = (origin: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${origin}/api-docs`,
  patch: { supported: true },
  bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: no,
  sort: no,
  etag: no,
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'Jeton de la connexion',
      description: 'Le jeton créé sur l’écran «\u00a0Connexion unique\u00a0», en en-tête Authorization: Bearer.',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${origin}/scim/v2/ServiceProviderConfig` },
})

export const resourceTypes = (origin: string) => [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'User',
    name: 'User',
    endpoint: '/Users',
    description: 'Personne de l’organisation',
    schema: USER_SCHEMA,
    meta: { resourceType: 'ResourceType', location: `${origin}/scim/v2/ResourceTypes/User` },
  },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: 'Group',
    name: 'Group',
    endpoint: '/Groups',
    description: 'Groupe de l’annuaire, qui donne un rôle par les règles de la connexion',
    schema: GROUP_SCHEMA,
    meta: { resourceType: 'ResourceType', location: `${origin}/scim/v2/ResourceTypes/Group` },
  },
]

const attribute = (name: string, more: object = {}) => ({
  name,
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

export const schemas = (origin: string) => [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: USER_SCHEMA,
    name: 'User',
    description: 'Personne de l’organisation',
    attributes: [
      attribute('userName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('name', { type: 'complex', subAttributes: [attribute('givenName'), attribute('familyName')] }),
      attribute('displayName', { mutability: 'readOnly' }),
      attribute('emails', {
        type: 'complex',
        multiValued: true,
        subAttributes: [attribute('value'), attribute('type')],
      }),
      attribute('roles', { type: 'complex', multiValued: true, subAttributes: [attribute('value')] }),
      attribute('active', { type: 'boolean' }),
    ],
    meta: { resourceType: 'Schema', location: `${origin}/scim/v2/Schemas/${USER_SCHEMA}` },
  },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: GROUP_SCHEMA,
    name: 'Group',
    description: 'Groupe de l’annuaire',
    attributes: [
      attribute('displayName', { required: true, uniqueness: 'server' }),
      attribute('externalId', { caseExact: true }),
      attribute('members', { type: 'complex', multiValued: true, subAttributes: [attribute('value')] }),
    ],
    meta: { resourceType: 'Schema', location: `${origin}/scim/v2/Schemas/${GROUP_SCHEMA}` },
  },
]
