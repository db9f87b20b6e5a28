import { PORTAL_BLOCKS } from '@voisol/contract/portal-management'
import { eq } from 'drizzle-orm'
import {
  messageRecipients,
  messages,
  messageTemplates,
  portalHolders,
  portalViews,
  sessions,
} from '../src/db/schema/index.ts'
import type { ParamsMaker } from './access-makers.ts'
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

export const MESSAGE_BODIES = {
  'POST /api/messages/preview': { subject: 'Prise', body: 'Prise', to: { kind: 'group', tag: 'prise' } },
  'POST /api/messages': { subject: 'Prise', body: 'Prise', to: { kind: 'group', tag: 'prise' }, sendAt: null },
  'POST /api/messages/:id/cancel': { version: 1 },
  'POST /api/message-templates': { name: 'Prise', subject: 'Prise', body: 'Prise' },
  'POST /api/own/messages/:id/answer': { body: 'Merci.' },
}

/** Participants and impersonated portals. */
export function portalMakers(secret: string): [RegExp, ParamsMaker][] {
  const holder: ParamsMaker = async ({ db }, { companyId, id: userId }) => {
    const { id } = await makeParticipant(db, { companyId, name: secret })
    await db.insert(portalHolders).values({ companyId, participantId: id, userId })
    return { id, userId }
  }
  const person: ParamsMaker = async ({ db }, { companyId, id: userId }) => ({
    id: (await makeParticipant(db, { companyId, name: secret, userId })).id,
  })
  const view: ParamsMaker = async (server, owner) => {
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
  const message: ParamsMaker = async (server, owner) => {
    const { companyId, id: authorId } = owner
    const { id: participantId } = await person(server, owner)
    const words = { subject: secret, body: secret }
    const place = { audience: 'person' as const, participantId: String(participantId) }
    const sent = { state: 'sent' as const, sendAt: new Date(), sentAt: new Date() }
    const [row] = await server.db
      .insert(messages)
      .values({ companyId, ...words, ...place, ...sent, authorId, author: secret })
      .returning()
    const own = { companyId, messageId: row?.id ?? '', participantId: String(participantId) }
    await server.db.insert(messageRecipients).values({ ...own, ...words, state: 'portal' })
    return { id: row?.id }
  }
  const template: ParamsMaker = async ({ db }, { companyId }) => {
    const words = { name: `${secret} ${crypto.randomUUID()}`, subject: secret, body: secret }
    const [row] = await db
      .insert(messageTemplates)
      .values({ companyId, ...words })
      .returning()
    return { id: row?.id }
  }
  return [
    [/^\/api\/participants\/:id\/holders\/:userId/, holder],
    [/^\/api\/(?:own\/)?messages\/:id/, message],
    [/^\/api\/message-templates\/:id/, template],
    [/^\/api\/portal\/people\/:id/, person],
    [/^\/api\/portal\/views\/:id/, view],
  ]
}
