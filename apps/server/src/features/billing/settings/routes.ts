import { settings } from '@voisol/contract/settings'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { addSettingValue, listSettings } from './say.ts'

export function registerSettingRoutes(app: FastifyInstance) {
  addRoute(app, settings.list, async (_, { db, actor }) => ({ items: await listSettings(db, actor) }))

  addRoute(app, settings.say, async ({ body }, { db, actor, note }) => {
    const setting = await addSettingValue(db, actor, body)
    const { from, source, value } = body
    note({ target: setting.label, detail: { after: { value, from, source } } })
    return setting
  })
}
