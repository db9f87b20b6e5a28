import { type Participation, type Point, participations, points } from '@voisol/contract/points'
import type { FastifyInstance } from 'fastify'
import { applyConfirmedChange, splitConfirmation, toConfirmationDetail } from '../../../core/shown.ts'
import { addRoute } from '../../../http/route.ts'
import { changeParticipations } from './bulk.ts'
import { createParticipation, removeParticipation, updateParticipation } from './participations.ts'
import { listPointViews, loadPoint } from './point-view.ts'
import { placePoint, updatePoint } from './points.ts'
import { resolvePointId } from './resolve.ts'
import { transferPoint } from './transfer.ts'

/** What the journal of an operation shows of a participation change. */
function toParticipationDetail({
  participantName,
  point,
  startsOn,
  endsOn,
  noticeOn,
  agreementSignedOn,
}: Participation) {
  const meter = { prm: point.prm, direction: point.direction, ...(point.storage && { storage: true }) }
  return { participantName, ...meter, startsOn, endsOn, noticeOn, agreementSignedOn }
}

export function pointRoutes(app: FastifyInstance) {
  addRoute(app, points.list, ({ query }, { db, actor }) => listPointViews(db, actor, query))
  addRoute(app, points.get, async ({ params }, { db, actor }) =>
    loadPoint(db, actor, await resolvePointId(db, actor, params.id)),
  )
  addRoute(app, points.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updatePoint(db, actor, params.id, body)
    note({ target: after.prm, detail: { operationId: after.operationId, before, after } })
    return after
  })
  addRoute(app, points.place, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await placePoint(db, actor, params.id, body)
    const place = ({ latitude, longitude, precision }: Point) => ({ latitude, longitude, precision })
    note({ target: after.prm, detail: { operationId: after.operationId, before: place(before), after: place(after) } })
    return after
  })
  participationRoutes(app)
}

function participationRoutes(app: FastifyInstance) {
  addRoute(app, participations.create, async ({ body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'join' as const, body: input }
    const after = await applyConfirmedChange(ctx, change, word, (tx) => createParticipation(tx, ctx.actor, input))
    const { operationId } = after
    ctx.note({
      target: after.participantName,
      detail: { operationId, after: toParticipationDetail(after), ...toConfirmationDetail(word) },
    })
    return after
  })

  addRoute(app, participations.update, async ({ params: { id }, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'dates' as const, id, body: input }
    const { before, after } = await applyConfirmedChange(ctx, change, word, (tx) =>
      updateParticipation(tx, ctx.actor, id, input),
    )
    const { operationId } = after
    const detail = {
      operationId,
      before: toParticipationDetail(before),
      after: toParticipationDetail(after),
      ...toConfirmationDetail(word),
    }
    ctx.note({ target: after.participantName, detail })
    return after
  })

  addRoute(app, participations.remove, async ({ params: { id }, query: word }, ctx) => {
    const before = await applyConfirmedChange(ctx, { kind: 'remove', id }, word, (tx) =>
      removeParticipation(tx, ctx.actor, id),
    )
    const { operationId } = before
    ctx.note({
      target: before.participantName,
      detail: { operationId, before: toParticipationDetail(before), ...toConfirmationDetail(word) },
    })
    return { success: true as const }
  })

  addRoute(app, participations.transfer, async ({ params: { id }, body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const change = { kind: 'transfer' as const, id, body: input }
    const { before, after } = await applyConfirmedChange(ctx, change, word, (tx) =>
      transferPoint(tx, ctx.actor, id, input),
    )
    const { operationId, participantName } = after
    ctx.note({
      target: `${before.participantName} → ${participantName}`,
      detail: {
        operationId,
        before: toParticipationDetail(before),
        after: toParticipationDetail(after),
        ...toConfirmationDetail(word),
      },
    })
    return after
  })
  bulkRoute(app)
}

function bulkRoute(app: FastifyInstance) {
  addRoute(app, participations.bulk, async ({ body }, ctx) => {
    const { word, input } = splitConfirmation(body)
    const { dryRun, ...asked } = input
    const change = { kind: 'bulk' as const, body: asked }
    const { report, operationIds } = await applyConfirmedChange(ctx, change, word, (tx) =>
      changeParticipations(tx, ctx.actor, input),
    )
    const { changed, refused } = report
    const operation = operationIds.length === 1 && !dryRun ? { operationId: operationIds[0] } : {}
    ctx.note({
      target: dryRun ? 'essai' : 'participations',
      detail: { ...operation, change: body.change, on: body.on, changed, refused, ...toConfirmationDetail(word) },
    })
    return report
  })
}
