import { type ApiKey, apiKeys } from '@voisol/contract/api-keys'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'
import { rotateApiKey, updateApiKey } from './rotate-api-key.ts'

/** The fields of a key that the audit log keeps: never the secret. */
const toAuditedApiKey = ({
  name,
  prefix,
  permissions,
  operationIds,
  allowedNetworks,
  perSecond,
  perMonth,
  expiresOn,
}: ApiKey) => ({
  name,
  prefix,
  permissions,
  operationIds,
  allowedNetworks,
  perSecond,
  perMonth,
  expiresOn,
})

export function apiKeyRoutes(app: FastifyInstance) {
  addRoute(app, apiKeys.list, ({ query }, { db, actor }) => listApiKeys(db, actor, query))

  addRoute(app, apiKeys.create, async ({ body }, { db, actor, note }) => {
    const made = await createApiKey(db, actor, body)
    note({ target: made.name, detail: { keyId: made.id, after: toAuditedApiKey(made) } })
    return made
  })

  addRoute(app, apiKeys.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateApiKey(db, actor, params.id, body)
    note({
      target: after.name,
      detail: { keyId: after.id, before: toAuditedApiKey(before), after: toAuditedApiKey(after) },
    })
    return after
  })

  addRoute(app, apiKeys.rotate, async ({ params, body }, { db, actor, note }) => {
    const { old, made, until } = await rotateApiKey(db, actor, params.id, body)
    note({
      target: old.name,
      detail: { keyId: old.id, before: toAuditedApiKey(old), after: toAuditedApiKey(made), until },
    })
    return made
  })

  addRoute(app, apiKeys.revoke, async ({ params }, { db, actor, note }) => {
    const { id, name, prefix } = await revokeApiKey(db, actor, params.id)
    note({ target: name, detail: { keyId: id, prefix } })
    return { success: true as const }
  })
}
