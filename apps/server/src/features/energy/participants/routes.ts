import { holders } from '@voisol/contract/holders'
import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import { type Participation, type Point, participations, points } from '@voisol/contract/points'
import type { FastifyInstance } from 'fastify'
import {
  applyConfirmedChange,
  describeFileChange,
  splitConfirmation,
  toConfirmationDetail,
} from '../../../core/change-confirmation.ts'
import { recordEvent } from '../../../events/events.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { loadBulkRun, startBulkAction } from './bulk-actions.ts'
import {
  changeParticipations,
  createParticipation,
  removeParticipation,
  transferPoint,
  updateParticipation,
} from './change-participations.ts'
import { createParticipant, removeParticipant, updateParticipant, updateParticipantIban } from './edit-participant.ts'
import { placePoint, updatePoint } from './edit-points.ts'
import { exportParticipants } from './export-participants.ts'
import { importParticipants } from './import-participants.ts'
import { buildImportTemplate } from './import-template.ts'
import { listAllParticipants, listParticipants, loadParticipant } from './participant-queries.ts'
import { listPointViews, loadPoint, resolvePointId } from './point-queries.ts'
import { addHolder, inviteParticipant, listHolders, removeHolder } from './portal-access.ts'
import { listTagsInUse } from './select-participants.ts'

/** The fields of a participant that an administrator can write. */
function toParticipantDetail(participant: ParticipantDetail) {
  const { kind, name, siren, email, phone, address, postalCode, city, notes } = participant
  return { kind, name, siren, email, phone, address, postalCode, city, notes }
}

export function participantRoutes(app: FastifyInstance) {
  addRoute(app, participants.list, ({ query }, { db, actor }) => listParticipants(db, actor, query))
  addRoute(app, participants.export, async ({ query }, { db, actor }) =>
    exportParticipants(await listAllParticipants(db, actor, query), query.format),
  )
  addRoute(app, participants.template, ({ query }) => buildImportTemplate(query.format))
  addRoute(app, participants.get, ({ params }, { db, actor }) => loadParticipant(db, actor, params.id))
  participantWriteRoutes(app)
  bulkRoutes(app)
  importRoutes(app)
  pointRoutes(app)
  holderRoutes(app)
}

function participantWriteRoutes(app: FastifyInstance) {
  addRoute(app, participants.create, async ({ body }, { db, actor, note }) => {
    const after = await createParticipant(db, actor, body)
    const data = { participantId: after.id, kind: after.kind }
    await recordEvent(db, { companyId: actor.companyId, name: 'participant.created', object: after.id, data })
    note({ target: after.name, detail: { after: toParticipantDetail(after) } })
    return after
  })

  addRoute(app, participants.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateParticipant(db, actor, params.id, body)
    const data = { participantId: after.id }
    await recordEvent(db, { companyId: actor.companyId, name: 'participant.updated', object: after.id, data })
    note({ target: after.name, detail: { before: toParticipantDetail(before), after: toParticipantDetail(after) } })
    return after
  })

  addRoute(app, participants.remove, async ({ params }, { db, actor, note }) => {
    const { name, id } = await removeParticipant(db, actor, params.id)
    const data = { participantId: id }
    await recordEvent(db, { companyId: actor.companyId, name: 'participant.removed', object: id, data })
    note({ target: name })
    return { success: true as const }
  })

  addRoute(app, participants.invite, async ({ params }, ctx) => {
    const after = await inviteParticipant(ctx.db, ctx, ctx.actor, params.id)
    ctx.note({ target: after.name, detail: { portal: after.portal.status } })
    return after
  })

  addRoute(app, participants.bank, async ({ params, body }, ctx) => updateBank(ctx, params.id, body))
}

/** The audit log keeps the last digits of the IBAN, never the whole IBAN. */
async function updateBank(ctx: RouteContext, id: string, body: Parameters<typeof updateParticipantIban>[4]) {
  const { before, after } = await updateParticipantIban(ctx.db, ctx.secrets, ctx.actor, id, body)
  ctx.note({ target: after.name, detail: { before: { ibanEnd: before.ibanEnd }, after: after.bank } })
  return after
}

function bulkRoutes(app: FastifyInstance) {
  addRoute(app, participants.tags, async (_, { db, actor }) => ({ items: await listTagsInUse(db, actor) }))
  addRoute(app, participants.bulk, async ({ body }, ctx) => {
    const run = await startBulkAction(ctx.db, ctx, ctx.actor, body, ctx.request.ip)
    const { id, total, done, unchanged, refused } = run
    const operation = body.operationId && !body.dryRun ? { operationId: body.operationId } : {}
    ctx.note({
      target: body.dryRun ? 'essai' : 'participants',
      detail: { ...operation, runId: id, action: body.action, total, done, unchanged, refused },
    })
    return run
  })
  addRoute(app, participants.bulkRun, ({ params }, { db, actor }) => loadBulkRun(db, actor, params.id))
}

function importRoutes(app: FastifyInstance) {
  addRoute(app, participants.import, async ({ query, upload }, ctx) => {
    const { actor, note } = ctx
    const { word, input } = splitConfirmation(query)
    const change = describeFileChange('enrol', query.operationId ?? '', upload)
    const report = await applyConfirmedChange(ctx, change, word, (db) =>
      importParticipants({ ...ctx, db }, actor, upload, input),
    )
    const { created, updated, unchanged, refused } = report
    const target = query.dryRun || !query.operationId ? `essai\u00a0: ${query.name}` : query.name
    const operation = query.operationId && !query.dryRun ? { operationId: query.operationId } : {}
    note({ target, detail: { ...operation, created, updated, unchanged, refused, ...toConfirmationDetail(word) } })
    return report
  })
}

const recordParticipantUpdated = ({ db, actor }: RouteContext, participantId: string) =>
  recordEvent(db, {
    companyId: actor.companyId,
    name: 'participant.updated',
    object: participantId,
    data: { participantId },
  })

function holderRoutes(app: FastifyInstance) {
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

function pointRoutes(app: FastifyInstance) {
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
