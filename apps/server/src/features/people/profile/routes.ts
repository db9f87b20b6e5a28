import { profile } from '@voisol/contract/profile'
import type { FastifyInstance } from 'fastify'
import { route } from '../../../http/route.ts'
import { currentUser } from '../auth/auth.ts'
import { exportData } from './export.ts'
import { updateProfile } from './profile.ts'

export function profileRoutes(app: FastifyInstance) {
  route(app, profile.update, async ({ body }, { db, actor, note }) => {
    const detail = await updateProfile(db, actor, body)
    note({ target: actor.email, detail })
    return currentUser(db, actor.userId, actor.companyId, { space: actor.space, bySso: actor.openedWith === 'sso' })
  })

  route(app, profile.export, (_, { db, actor }) => exportData(db, actor))
}
