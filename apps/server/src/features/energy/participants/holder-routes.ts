import { holders } from '@voisol/contract/holders'
import type { FastifyInstance } from 'fastify'
import { record } from '../../../core/events.ts'
import { type Context, route } from '../../../http/route.ts'
import { addHolder, listHolders, removeHolder } from './holders.ts'

const tell = ({ db, actor }: Context, participantId: string) =>
  record(db, {
    companyId: actor.companyId,
    name: 'participant.updated',
    object: participantId,
    data: { participantId },
  })

export function holderRoutes(app: FastifyInstance) {
  route(app, holders.list, async ({ params }, { db, actor }) => ({ items: await listHolders(db, actor, params.id) }))

  route(app, holders.add, async ({ params, body }, ctx) => {
    const { participant, userId, items } = await addHolder(ctx.db, ctx, ctx.actor, params.id, body)
    ctx.note({ target: participant.name, detail: { after: { holder: userId } } })
    await tell(ctx, params.id)
    return { items }
  })

  route(app, holders.remove, async ({ params }, ctx) => {
    const participant = await removeHolder(ctx.db, ctx.actor, params.id, params.userId)
    ctx.note({ target: participant.name, detail: { before: { holder: params.userId } } })
    await tell(ctx, params.id)
    return { success: true as const }
  })
}
