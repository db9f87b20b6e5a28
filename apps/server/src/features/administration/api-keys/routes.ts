import { apiKeys } from '@voisol/contract/api-keys'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './api-keys.ts'

export function apiKeyRoutes(app: FastifyInstance) {
  route(app, apiKeys.list, ({ query }, { db, actor }) => listApiKeys(db, actor, query))

  route(app, apiKeys.create, async ({ body }, { db, actor, note }) => {
    const made = await createApiKey(db, actor, body)
    const { name, prefix, permissions, operationIds, expiresOn } = made
    note({ target: name, detail: { after: { prefix, permissions, operationIds, expiresOn } } })
    return made
  })

  route(app, apiKeys.revoke, async ({ params }, { db, actor, note }) => {
    const { name, prefix } = await revokeApiKey(db, actor, params.id)
    note({ target: name, detail: { prefix } })
    return { success: true as const }
  })
}
