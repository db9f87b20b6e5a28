import { type ParticipantDetail, participants } from '@voisol/contract/participants'
import type { FastifyInstance } from 'fastify'
import { record } from '../../../core/events.ts'
import { apart, confirmed, fileChange, wordOf } from '../../../core/shown.ts'
import { type Context, route } from '../../../http/route.ts'
import { saveBank } from './bank.ts'
import { participantsFile } from './export.ts'
import { holderRoutes } from './holder-routes.ts'
import { importParticipants } from './import.ts'
import { inviteParticipant } from './invitation.ts'
import { askMany, findRun } from './many/many.ts'
import { pointRoutes } from './point-routes.ts'
import { tagsInUse } from './tags.ts'
import { participantTemplate } from './template.ts'
import { allParticipants, getParticipant, listParticipants } from './view.ts'
import { createParticipant, removeParticipant, updateParticipant } from './write.ts'

/** What an administrator can write of a participant. */
function facts(participant: ParticipantDetail) {
  const { kind, name, siren, email, phone, address, postalCode, city, notes } = participant
  return { kind, name, siren, email, phone, address, postalCode, city, notes }
}

export function participantRoutes(app: FastifyInstance) {
  route(app, participants.list, ({ query }, { db, actor }) => listParticipants(db, actor, query))
  route(app, participants.export, async ({ query }, { db, actor }) =>
    participantsFile(await allParticipants(db, actor, query), query.format),
  )
  route(app, participants.template, ({ query }) => participantTemplate(query.format))
  route(app, participants.get, ({ params }, { db, actor }) => getParticipant(db, actor, params.id))
  writeRoutes(app)
  manyRoutes(app)
  fileRoutes(app)
  pointRoutes(app)
  holderRoutes(app)
}

function writeRoutes(app: FastifyInstance) {
  route(app, participants.create, async ({ body }, { db, actor, note }) => {
    const after = await createParticipant(db, actor, body)
    const data = { participantId: after.id, kind: after.kind }
    await record(db, { companyId: actor.companyId, name: 'participant.created', object: after.id, data })
    note({ target: after.name, detail: { after: facts(after) } })
    return after
  })

  route(app, participants.update, async ({ params, body }, { db, actor, note }) => {
    const { before, after } = await updateParticipant(db, actor, params.id, body)
    const data = { participantId: after.id }
    await record(db, { companyId: actor.companyId, name: 'participant.updated', object: after.id, data })
    note({ target: after.name, detail: { before: facts(before), after: facts(after) } })
    return after
  })

  route(app, participants.remove, async ({ params }, { db, actor, note }) => {
    const { name, id } = await removeParticipant(db, actor, params.id)
    const data = { participantId: id }
    await record(db, { companyId: actor.companyId, name: 'participant.removed', object: id, data })
    note({ target: name })
    return { success: true as const }
  })

  route(app, participants.invite, async ({ params }, ctx) => {
    const after = await inviteParticipant(ctx.db, ctx, ctx.actor, params.id)
    ctx.note({ target: after.name, detail: { portal: after.portal.status } })
    return after
  })

  route(app, participants.bank, async ({ params, body }, ctx) => changeBank(ctx, params.id, body))
}

/** The log keeps that the account changed and its last digits, never the account. */
async function changeBank(ctx: Context, id: string, body: Parameters<typeof saveBank>[4]) {
  const { before, after } = await saveBank(ctx.db, ctx.secrets, ctx.actor, id, body)
  ctx.note({ target: after.name, detail: { before: { ibanEnd: before.ibanEnd }, after: after.bank } })
  return after
}

function manyRoutes(app: FastifyInstance) {
  route(app, participants.tags, async (_, { db, actor }) => ({ items: await tagsInUse(db, actor) }))
  route(app, participants.bulk, async ({ body }, ctx) => {
    const run = await askMany(ctx.db, ctx, ctx.actor, body, ctx.request.ip)
    const { id, total, done, unchanged, refused } = run
    const operation = body.operationId && !body.dryRun ? { operationId: body.operationId } : {}
    ctx.note({
      target: body.dryRun ? 'essai' : 'participants',
      detail: { ...operation, runId: id, action: body.action, total, done, unchanged, refused },
    })
    return run
  })
  route(app, participants.bulkRun, ({ params }, { db, actor }) => findRun(db, actor, params.id))
}

function fileRoutes(app: FastifyInstance) {
  route(app, participants.import, async ({ query, upload }, ctx) => {
    const { actor, note } = ctx
    const { word, input } = apart(query)
    const change = fileChange('enrol', query.operationId ?? '', upload)
    const report = await confirmed(ctx, change, word, (db) => importParticipants({ ...ctx, db }, actor, upload, input))
    const { created, updated, unchanged, refused } = report
    const target = query.dryRun || !query.operationId ? `essai\u00a0: ${query.name}` : query.name
    const operation = query.operationId && !query.dryRun ? { operationId: query.operationId } : {}
    note({ target, detail: { ...operation, created, updated, unchanged, refused, ...wordOf(word) } })
    return report
  })
}
