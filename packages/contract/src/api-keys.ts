import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { buildPageSchema, ListQuery } from './list.ts'
import { Networks } from './networks.ts'
import { permissions } from './permissions.ts'
import { Day, Id, Instant, SuccessReply, Text, Version } from './primitives.ts'

/** How many calls it may make; null where nothing is said. */
export const CallLimits = z.object({
  perSecond: z.int().min(1).max(1000).nullable(),
  /** In a calendar month of Paris. */
  perMonth: z.int().min(1).max(100_000_000).nullable(),
})
export type CallLimits = z.infer<typeof CallLimits>

export const ApiKey = CallLimits.extend({
  id: Id,
  name: z.string(),
  /** The beginning of the key, by which its owner recognises it. */
  prefix: z.string(),
  permissions: z.array(z.enum(permissions)),
  /** Null where it reaches every operation of the company. */
  operationIds: z.array(Id).nullable(),
  /** CIDR networks it is accepted from; from everywhere where there are none. */
  allowedNetworks: z.array(z.string()),
  createdBy: z.string(),
  createdAt: Instant,
  expiresOn: Day.nullable(),
  /** Where another has taken its place: when this one stops. */
  retiresAt: Instant.nullable(),
  /** The key whose place it has taken. */
  replaces: Id.nullable(),
  lastUsedAt: Instant.nullable(),
  /** Of the last use: from where, and which call. Empty where there was none. */
  lastIp: z.string(),
  lastCall: z.string(),
  status: z.enum(['active', 'retiring', 'expired', 'revoked']),
  version: Version,
})
export type ApiKey = z.infer<typeof ApiKey>
/** The key itself is in this answer only. */
const ApiKeyWithSecret = ApiKey.extend({ key: z.string() })

const limitFields = {
  allowedNetworks: Networks.default([]),
  perSecond: CallLimits.shape.perSecond.default(null),
  perMonth: CallLimits.shape.perMonth.default(null),
  /** The last day it opens anything. */
  expiresOn: Day.nullable().default(null),
}

export const NewApiKey = z.strictObject({
  name: Text.max(60),
  permissions: z.array(z.enum(permissions)).min(1, 'Choisissez au moins un droit.').max(permissions.length),
  operationIds: z.array(Id).max(500).nullable().default(null),
  ...limitFields,
})
/** Its rights stay what they were: another key is made for others. */
export const ApiKeyChange = z.strictObject({ name: Text.max(60), ...limitFields, version: Version })

export const MAX_KEY_OVERLAP_HOURS = 90 * 24
export const Rotation = z.strictObject({
  /** How long the old one still opens; at 0 it stops at once. */
  overlapHours: z.int().min(0).max(MAX_KEY_OVERLAP_HOURS),
  expiresOn: Day.nullable().default(null),
})

export const ApiKeyQuery = ListQuery.extend({ status: ApiKey.shape.status.optional() })
const params = z.object({ id: Id })

export const apiKeys = {
  list: defineEndpoint({
    method: 'GET',
    path: '/api/api-keys',
    access: { permission: 'api-keys.read' },
    summary: 'Lister les clés d’API',
    query: ApiKeyQuery,
    response: buildPageSchema(ApiKey),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/api/api-keys',
    access: { permission: 'api-keys.write' },
    summary: 'Créer une clé d’API',
    body: NewApiKey,
    response: ApiKeyWithSecret,
  }),
  update: defineEndpoint({
    method: 'PATCH',
    path: '/api/api-keys/:id',
    access: { permission: 'api-keys.write' },
    summary: 'Modifier une clé d’API',
    params,
    body: ApiKeyChange,
    response: ApiKey,
  }),
  rotate: defineEndpoint({
    method: 'POST',
    path: '/api/api-keys/:id/rotate',
    access: { permission: 'api-keys.write' },
    summary: 'Renouveler une clé d’API',
    params,
    body: Rotation,
    response: ApiKeyWithSecret,
  }),
  revoke: defineEndpoint({
    method: 'POST',
    path: '/api/api-keys/:id/revoke',
    access: { permission: 'api-keys.write' },
    summary: 'Révoquer une clé d’API',
    params,
    response: SuccessReply,
  }),
}
