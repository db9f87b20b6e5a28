import { ERRORS } from '@voisol/contract/errors'
import { Email, Text } from '@voisol/contract/primitives'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { AppError, toAppError } from '../../../http/errors.ts'
import { SsoRefusal } from '../sso/index.ts'

export const SCIM_TYPE = 'application/scim+json; charset=utf-8'

type ScimErrorType = 'invalidFilter' | 'invalidSyntax' | 'invalidValue' | 'uniqueness' | 'mutability'

/** A refusal as RFC 7644 writes it. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimErrorType | undefined
  constructor(status: number, detail: string, scimType?: ScimErrorType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

function toScimError(error: unknown): ScimError {
  if (error instanceof ScimError) return error
  if (error instanceof SsoRefusal) return new ScimError(400, error.message, 'invalidValue')
  const app = toAppError(error)
  if (!app) return new ScimError(500, ERRORS.internal[1])
  return new ScimError(
    app.status === 422 ? 400 : app.status,
    app.message,
    app.status === 422 ? 'invalidValue' : undefined,
  )
}

export function sendScimError(reply: FastifyReply, error: unknown) {
  const { status, message, scimType } = toScimError(error)
  if (error instanceof AppError && error.retryAfter) reply.header('retry-after', error.retryAfter)
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  return reply
    .code(status)
    .type(SCIM_TYPE)
    .send(JSON.stringify({ schemas, status: String(status), ...(scimType && { scimType }), detail: message }))
}

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

/** What a directory says of somebody, whichever way it says it; what is absent stays as it is. */
export type ScimUserChange = {
  userName?: string
  email?: string
  givenName?: string
  familyName?: string
  externalId?: string | null
  active?: boolean
  roles?: string[]
}

/** Entra writes « True » and « False ». */
const Active = z
  .union([z.boolean(), z.string().regex(/^(true|false)$/i)])
  .transform((value) => String(value).toLowerCase() === 'true')
const Name = z.string().trim().max(200)
const Values = z.array(z.object({ value: z.string().max(500), primary: z.unknown().optional() })).max(50)

const UserResource = z.object({
  userName: Text.optional(),
  externalId: z.string().max(500).nullish(),
  active: Active.optional(),
  name: z.object({ givenName: Name.nullish(), familyName: Name.nullish() }).nullish(),
  emails: Values.nullish(),
  roles: z
    .array(z.union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)]))
    .max(50)
    .nullish(),
})

export const toScimValueError = (error: z.ZodError) => {
  const [issue] = error.issues
  return new ScimError(
    400,
    `${issue?.path.join('.') || 'Ressource'}\u00a0: ${issue?.message ?? 'valeur refusée'}`,
    'invalidValue',
  )
}

const isPrimary = ({ primary }: { primary?: unknown }) => primary === true || String(primary).toLowerCase() === 'true'

/** A whole resource, of a creation or a replacement. */
export function parseScimUser(body: unknown): ScimUserChange {
  const read = UserResource.safeParse(body)
  if (!read.success) throw toScimValueError(read.error)
  const { userName, externalId, active, name, emails, roles } = read.data
  const email = (emails?.find(isPrimary) ?? emails?.[0])?.value
  return {
    ...(userName !== undefined && { userName }),
    ...(email !== undefined && { email }),
    ...(name?.givenName && { givenName: name.givenName }),
    ...(name?.familyName && { familyName: name.familyName }),
    ...(externalId !== undefined && { externalId }),
    ...(active !== undefined && { active }),
    ...(roles && { roles }),
  }
}

export const ScimPatch = z.object({
  Operations: z
    .array(z.object({ op: z.string(), path: z.string().max(300).optional(), value: z.unknown().optional() }))
    .min(1)
    .max(100),
})

/** Where a path of a patch leads; what is not kept here leads nowhere. */
const PATCH_PATHS: [RegExp, (value: unknown) => object][] = [
  [/^(urn:[^ ]+:User:)?userName$/i, (userName) => ({ userName })],
  [/^(urn:[^ ]+:User:)?externalId$/i, (externalId) => ({ externalId })],
  [/^(urn:[^ ]+:User:)?active$/i, (active) => ({ active })],
  [/^(urn:[^ ]+:User:)?name$/i, (name) => ({ name })],
  [/^(urn:[^ ]+:User:)?name\.givenName$/i, (givenName) => ({ name: { givenName } })],
  [/^(urn:[^ ]+:User:)?name\.familyName$/i, (familyName) => ({ name: { familyName } })],
  [/^(urn:[^ ]+:User:)?emails$/i, (emails) => ({ emails })],
  [/^(urn:[^ ]+:User:)?emails\[type eq "work"\]\.value$/i, (value) => ({ emails: [{ value, primary: true }] })],
]

const toPatchPart = (path: string, value: unknown): object =>
  PATCH_PATHS.find(([pattern]) => pattern.test(path))?.[1](value) ?? {}

/** Without a path the value names what it changes, as Okta sends it. */
function toPatchParts(path: string | undefined, value: unknown): object[] {
  if (path !== undefined) return [toPatchPart(path, value)]
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new ScimError(400, 'Sans «\u00a0path\u00a0», la valeur est un objet.', 'invalidSyntax')
  return Object.entries(value).map(([name, one]) => toPatchPart(name, one))
}

/** The operations of a patch, in their order: a later one counts. */
export function parseScimUserPatch(body: unknown): ScimUserChange {
  const read = ScimPatch.safeParse(body)
  if (!read.success) throw new ScimError(400, 'Une liste «\u00a0Operations\u00a0» est attendue.', 'invalidSyntax')
  let change: ScimUserChange = {}
  for (const { op, path, value } of read.data.Operations) {
    const kind = op.toLowerCase()
    if (!['add', 'replace', 'remove'].includes(kind))
      throw new ScimError(400, `Opération inconnue\u00a0: «\u00a0${op}\u00a0».`, 'invalidSyntax')
    if (kind === 'remove') {
      if (/externalId$/i.test(path ?? '')) change = { ...change, externalId: null }
      continue
    }
    for (const part of toPatchParts(path, value)) change = { ...change, ...parseScimUser(part) }
  }
  return change
}

/** Each parameter stands once: nobody can tell which of two was meant. */
export function parseScimQuery(query: unknown): Record<string, string | undefined> {
  const read = z.record(z.string(), z.string()).safeParse(query)
  if (!read.success) throw new ScimError(400, 'Chaque paramètre ne peut être indiqué qu’une fois.', 'invalidValue')
  return read.data
}

/** The address by which somebody is known: the user name where it is one, else the one of work. */
export function getScimAddress({ userName, email }: ScimUserChange): string | undefined {
  const given = userName?.includes('@') ? userName : (email ?? userName)
  if (given === undefined) return undefined
  const read = Email.safeParse(given)
  if (!read.success)
    throw new ScimError(
      400,
      `userName\u00a0: une adresse e-mail est attendue, et non «\u00a0${given.slice(0, 80)}\u00a0».`,
      'invalidValue',
    )
  return read.data
}

/** The address that a change gives them: a second one that is only added beside the user name moves nobody. */
export const getNewScimAddress = (change: ScimUserChange): string | undefined =>
  change.userName === undefined ? undefined : getScimAddress(change)

const FILTER_PATTERN =
  /^\s*(userName|externalId|id|emails\.value|emails\[type eq "work"\]\.value)\s+eq\s+"((?:[^"\\]|\\.)*)"\s*$/i

export function parseScimUserFilter(filter: string): { by: 'email' | 'externalId' | 'id'; value: string } {
  const [, name = '', written = ''] = FILTER_PATTERN.exec(filter) ?? []
  if (!name) throw new ScimError(400, 'Filtres acceptés\u00a0: userName eq "…", externalId eq "…".', 'invalidFilter')
  const value = written.replace(/\\(.)/g, '$1')
  const lower = name.toLowerCase()
  return { by: lower === 'externalid' ? 'externalId' : lower === 'id' ? 'id' : 'email', value }
}
