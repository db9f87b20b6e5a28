import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ListQuery, page } from './list.ts'
import { permissions } from './permissions.ts'
import { Day, Done, Id, Instant, Text } from './primitives.ts'

export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  /** The beginning of the key, by which its owner recognises it. */
  prefix: z.string(),
  permissions: z.array(z.enum(permissions)),
  /** Null where it reaches every operation of the company. */
  operationIds: z.array(Id).nullable(),
  createdBy: z.string(),
  createdAt: Instant,
  expiresOn: Day.nullable(),
  lastUsedAt: Instant.nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
})
export type ApiKey = z.infer<typeof ApiKey>

export const NewApiKey = z.strictObject({
  name: Text.max(60),
  permissions: z.array(z.enum(permissions)).min(1, 'Choisissez au moins un droit.').max(permissions.length),
  operationIds: z.array(Id).max(500).nullable().default(null),
  /** The last day it opens anything. */
  expiresOn: Day.nullable().default(null),
})
const params = z.object({ id: Id })

export const apiKeys = {
  list: endpoint({
    method: 'GET',
    path: '/api/api-keys',
    access: { permission: 'api-keys.read' },
    summary: 'Lister les clés d’API',
    query: ListQuery,
    response: page(ApiKey),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/api-keys',
    access: { permission: 'api-keys.write' },
    summary: 'Créer une clé d’API',
    body: NewApiKey,
    /** The key is in this answer only. */
    response: ApiKey.extend({ key: z.string() }),
  }),
  revoke: endpoint({
    method: 'POST',
    path: '/api/api-keys/:id/revoke',
    access: { permission: 'api-keys.write' },
    summary: 'Révoquer une clé d’API',
    params,
    response: Done,
  }),
}
