import { type Participation, type Point, participations, points } from '@voisol/contract/points'
import type { FastifyInstance } from 'fastify'
import { apart, confirmed, wordOf } from '../../../core/shown.ts'
import { route } from '../../../http/route.ts'
import { changeMany } from './bulk.ts'
import { createParticipation, removeParticipation, updateParticipation } from './participations.ts'
import { getPoint, listPoints } from './point-view.ts'
import { placePoint, updatePoint } from './points.ts'
import { resolvePoint } from './resolve.ts'
import { transferPoint } from './transfer.ts'

/** What the journal of an operation shows of an entry, an exit or a change. */
function facts({ participantName, point, startsOn, endsOn, noticeOn, agreementSignedOn }: Participation) {
  const meter = { prm: point.prm, direction: point.direction, ...(point.storage && { storage: true }) }
  return { participantName, ...meter, startsOn, endsOn, noticeOn, agreementSignedOn }
}

export function pointRoutes(app: FastifyInstance) {
  route(app, points.list, ({ query }, { db, actor }) => listPoints(db, actor, query))
  route(app, points.get, async ({ params }, { db, actor }) =>
    getPoint(db, actor, await resolvePoint(db, actor, params.id)),
  )
  route(app, points.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updatePoint(db, actor, params.id, body)
    note({ target: after.prm, detail: { operationId: after.operationId, before, after } })
    return after
  })
  route(app, points.place, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await placePoint(db, actor, params.id, body)
    const place = ({ latitude, longitude, precision }: Point) => ({ latitude, longitude, precision })
    note({ target: after.prm, detail: { operationId: after.operationId, before: place(before), after: place(after) } })
    return after
  })
  participationRoutes(app)
}

function participationRoutes(app: FastifyInstance) {
  route(app, participations.create, async ({ body }, ctx) => {
    const { word, input } = apart(body)
    const change = { kind: 'join' as const, body: input }
    const after = await confirmed(ctx, change, word, (tx) => createParticipation(tx, ctx.actor, input))
    const { operationId } = after
    ctx.note({ target: after.participantName, detail: { operationId, after: facts(after), ...wordOf(word) } })
    return after
  })

  route(app, participations.update, async ({ params: { id }, body }, ctx) => {
    const { word, input } = apart(body)
    const change = { kind: 'dates' as const, id, body: input }
    const { before, after } = await confirmed(ctx, change, word, (tx) => updateParticipation(tx, ctx.actor, id, input))
    const { operationId } = after
    const detail = { operationId, before: facts(before), after: facts(after), ...wordOf(word) }
    ctx.note({ target: after.participantName, detail })
    return after
  })

  route(app, participations.remove, async ({ params: { id }, query: word }, ctx) => {
    const before = await confirmed(ctx, { kind: 'remove', id }, word, (tx) => removeParticipation(tx, ctx.actor, id))
    const { operationId } = before
    ctx.note({ target: before.participantName, detail: { operationId, before: facts(before), ...wordOf(word) } })
    return { success: true as const }
  })

  route(app, participations.transfer, async ({ params: { id }, body }, ctx) => {
    const { word, input } = apart(body)
    const change = { kind: 'transfer' as const, id, body: input }
    const { before, after } = await confirmed(ctx, change, word, (tx) => transferPoint(tx, ctx.actor, id, input))
    const { operationId, participantName } = after
    ctx.note({
      target: `${before.participantName} → ${participantName}`,
      detail: { operationId, before: facts(before), after: facts(after), ...wordOf(word) },
    })
    return after
  })
  bulkRoute(app)
}

function bulkRoute(app: FastifyInstance) {
  route(app, participations.bulk, async ({ body }, ctx) => {
    const { word, input } = apart(body)
    const { dryRun, ...asked } = input
    const change = { kind: 'bulk' as const, body: asked }
    const { report, operationIds } = await confirmed(ctx, change, word, (tx) => changeMany(tx, ctx.actor, input))
    const { changed, refused } = report
    const operation = operationIds.length === 1 && !dryRun ? { operationId: operationIds[0] } : {}
    ctx.note({
      target: dryRun ? 'essai' : 'participations',
      detail: { ...operation, change: body.change, on: body.on, changed, refused, ...wordOf(word) },
    })
    return report
  })
}
