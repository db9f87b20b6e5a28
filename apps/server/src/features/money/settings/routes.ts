import { settings } from '@voisol/contract/settings'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { listSettings, saySetting } from './say.ts'

export function settingRoutes(app: FastifyInstance) {
  route(app, settings.list, async (_, { db, actor }) => ({ items: await listSettings(db, actor) }))

  route(app, settings.say, async ({ body }, { db, actor, note }) => {
    const said = await saySetting(db, actor, body)
    const { from, source, value } = body
    note({ target: said.label, detail: { after: { value, from, source } } })
    return said
  })
}
