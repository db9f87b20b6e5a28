import { PORTAL_BLOCKS } from '@voisol/contract/portal-management'
import { eq } from 'drizzle-orm'
import { portalViews, sessions } from '../src/db/schema/index.ts'
import type { Make } from './access-makers.ts'
import { makeParticipant } from './factories-participants.ts'

export const PORTAL_BODIES = {
  'PUT /api/portal/settings': {
    blocks: PORTAL_BLOCKS.map((key) => ({ key, shown: true })),
    comparison: true,
    welcome: '',
    version: 0,
  },
  'POST /api/portal/reminders': {},
  'POST /api/portal/letters': {},
  'POST /api/portal/activation': { code: '2222-2222-2222-2222', email: 'prise@exemple.fr' },
}

/** Participants and the portals that somebody looks at. */
export function portalMakers(secret: string): [RegExp, Make][] {
  const person: Make = async ({ db }, { companyId, id: userId }) => ({
    id: (await makeParticipant(db, { companyId, name: secret, userId })).id,
  })
  const view: Make = async (server, owner) => {
    const { companyId, id: viewerId } = owner
    const [session] = await server.db.select().from(sessions).where(eq(sessions.userId, viewerId))
    const { id: participantId } = await person(server, owner)
    const about = { companyId, participantId: String(participantId), viewerId, sessionId: session?.id ?? '' }
    const [row] = await server.db
      .insert(portalViews)
      .values({ ...about, expiresAt: new Date(Date.now() + 60_000) })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/portal\/people\/:id/, person],
    [/^\/api\/portal\/views\/:id/, view],
  ]
}
