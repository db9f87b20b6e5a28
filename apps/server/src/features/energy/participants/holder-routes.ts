import { holders } from '@voisol/contract/holders'
import type { FastifyInstance } from 'fastify'
import { recordEvent } from '../../../core/events.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { addHolder, listHolders, removeHolder } from './holders.ts'

const recordParticipantUpdated = ({ db, actor }: RouteContext, participantId: string) =>
  recordEvent(db, {
    companyId: actor.companyId,
    name: 'participant.updated',
    object: participantId,
    data: { participantId },
  })

export function holderRoutes(app: FastifyInstance) {
  addRoute(app, holders.list, async ({ params }, { db, actor }) => ({ items: await listHolders(db, actor, params.id) }))

  addRoute(app, holders.add, async ({ params, body }, ctx) => {
    const { participant, userId, items } = await addHolder(ctx.db, ctx, ctx.actor, params.id, body)
    ctx.note({ target: participant.name, detail: { after: { holder: userId } } })
    await recordParticipantUpdated(ctx, params.id)
    return { items }
  })

  addRoute(app, holders.remove, async ({ params }, ctx) => {
    const participant = await removeHolder(ctx.db, ctx.actor, params.id, params.userId)
    ctx.note({ target: participant.name, detail: { before: { holder: params.userId } } })
    await recordParticipantUpdated(ctx, params.id)
    return { success: true as const }
  })
}
