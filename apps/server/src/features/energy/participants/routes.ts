import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import type { FastifyInstance } from 'fastify'
import { recordEvent } from '../../../core/events.ts'
import {
  applyConfirmedChange,
  describeFileChange,
  splitConfirmation,
  toConfirmationDetail,
} from '../../../core/shown.ts'
import { addRoute, type RouteContext } from '../../../http/route.ts'
import { updateParticipantIban } from './bank.ts'
import { exportParticipants } from './export.ts'
import { holderRoutes } from './holder-routes.ts'
import { importParticipants } from './import.ts'
import { inviteParticipant } from './invitation.ts'
import { loadBulkRun, startBulkAction } from './many/many.ts'
import { pointRoutes } from './point-routes.ts'
import { listTagsInUse } from './tags.ts'
import { buildImportTemplate } from './template.ts'
import { listAllParticipants, listParticipants, loadParticipant } from './view.ts'
import { createParticipant, removeParticipant, updateParticipant } from './write.ts'

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
