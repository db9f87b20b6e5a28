import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { Networks } from './networks.ts'
import { permissions } from './permissions.ts'
import { buildPageSchema, Day, Id, Instant, ListQuery, SuccessReply, Text, Version } from './primitives.ts'

/** Limits on the number of calls; null for no limit of its own. */
export const CallLimits = z.object({
  perSecond: z.int().min(1).max(1000).nullable(),
  /** Per calendar month, Paris time. */
  perMonth: z.int().min(1).max(100_000_000).nullable(),
})
export type CallLimits = z.infer<typeof CallLimits>

export const ApiKey = CallLimits.extend({
  id: Id,
  name: z.string(),
  /** The first characters of the key, by which its owner recognises it. */
  prefix: z.string(),
  permissions: z.array(z.enum(permissions)),
  /** Null when not limited to some operations. */
  operationIds: z.array(Id).nullable(),
  /** CIDR networks from which the key is accepted; empty means from everywhere. */
  allowedNetworks: z.array(z.string()),
  createdBy: z.string(),
  createdAt: Instant,
  expiresOn: Day.nullable(),
  /** For a key that was replaced: when it stops working. */
  retiresAt: Instant.nullable(),
  /** The key that this one replaced. */
  replaces: Id.nullable(),
  lastUsedAt: Instant.nullable(),
  /** Address and call of the last use; empty when never used. */
  lastIp: z.string(),
  lastCall: z.string(),
  status: z.enum(['active', 'retiring', 'expired', 'revoked']),
  version: Version,
})
export type ApiKey = z.infer<typeof ApiKey>
/** Only this answer contains the key itself. */
const ApiKeyWithSecret = ApiKey.extend({ key: z.string() })

const limitFields = {
  allowedNetworks: Networks.default([]),
  perSecond: CallLimits.shape.perSecond.default(null),
  perMonth: CallLimits.shape.perMonth.default(null),
  /** The last day on which it is valid. */
  expiresOn: Day.nullable().default(null),
}

export const NewApiKey = z.strictObject({
  name: Text.max(60),
  permissions: z.array(z.enum(permissions)).min(1, 'Choisissez au moins un droit.').max(permissions.length),
  operationIds: z.array(Id).max(500).nullable().default(null),
  ...limitFields,
})
/** The rights of a key cannot change: other rights need another key. */
export const ApiKeyChange = z.strictObject({ name: Text.max(60), ...limitFields, version: Version })

const MAX_KEY_OVERLAP_HOURS = 90 * 24
export const Rotation = z.strictObject({
  /** How long the replaced key keeps working; with 0 it stops at once. */
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
