import { profile } from '@voisol/contract/profile'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../../http/route.ts'
import { loadCurrentUser } from '../auth/index.ts'
import { exportOwnData } from './export-own-data.ts'
import { updateUserProfile } from './profile.ts'

export function profileRoutes(app: FastifyInstance) {
  addRoute(app, profile.update, async ({ body }, { db, actor, note }) => {
    const detail = await updateUserProfile(db, actor, body)
    note({ target: actor.email, detail })
    return loadCurrentUser(db, actor.userId, actor.companyId, { space: actor.space, bySso: actor.openedWith === 'sso' })
  })

  addRoute(app, profile.export, (_, { db, actor }) => exportOwnData(db, actor))
}
