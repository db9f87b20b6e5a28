export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'

export const toScimListResponse = (resources: unknown[], total = resources.length, startIndex = 1) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

const UNSUPPORTED = { supported: false }

/** What this directory can do, for programs that ask first. */
export const buildServiceProviderConfig = (origin: string) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
  documentationUri: `${origin}/api-docs`,
  patch: { supported: true },
  bulk: { ...UNSUPPORTED, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: UNSUPPORTED,
  sort: UNSUPPORTED,
  etag: UNSUPPORTED,
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

export const buildScimResourceTypes = (origin: string) => [
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

const buildAttribute = (name: string, more: object = {}) => ({
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

export const buildScimSchemas = (origin: string) => [
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: USER_SCHEMA,
    name: 'User',
    description: 'Personne de l’organisation',
    attributes: [
      buildAttribute('userName', { required: true, uniqueness: 'server' }),
      buildAttribute('externalId', { caseExact: true }),
      buildAttribute('name', {
        type: 'complex',
        subAttributes: [buildAttribute('givenName'), buildAttribute('familyName')],
      }),
      buildAttribute('displayName', { mutability: 'readOnly' }),
      buildAttribute('emails', {
        type: 'complex',
        multiValued: true,
        subAttributes: [buildAttribute('value'), buildAttribute('type')],
      }),
      buildAttribute('roles', { type: 'complex', multiValued: true, subAttributes: [buildAttribute('value')] }),
      buildAttribute('active', { type: 'boolean' }),
    ],
    meta: { resourceType: 'Schema', location: `${origin}/scim/v2/Schemas/${USER_SCHEMA}` },
  },
  {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: GROUP_SCHEMA,
    name: 'Group',
    description: 'Groupe de l’annuaire',
    attributes: [
      buildAttribute('displayName', { required: true, uniqueness: 'server' }),
      buildAttribute('externalId', { caseExact: true }),
      buildAttribute('members', { type: 'complex', multiValued: true, subAttributes: [buildAttribute('value')] }),
    ],
    meta: { resourceType: 'Schema', location: `${origin}/scim/v2/Schemas/${GROUP_SCHEMA}` },
  },
]
