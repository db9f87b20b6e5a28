import { type Mandate, mandates } from '@voisol/contract/mandates'
import type { FastifyInstance } from 'fastify'
import { handedOver } from '../../../compute/handed-over.ts'
import { originOf } from '../../../core/signature.ts'
import { route } from '../../../http/route.ts'
import { requireDebtor } from './debtor.ts'
import { importMandates } from './import.ts'
import { paperOf, putPaper } from './papers.ts'
import { takeOverSheets } from './take-over.ts'
import { mandateText } from './text.ts'
import { listMandates } from './view.ts'
import { addMandate, changeAccount, revokeMandate, signMandate } from './write.ts'

/** The log keeps the end of an account, never the account. */
const facts = ({ rum, participant, creditor, ibanEnd, signedOn, method }: Mandate) => ({
  rum,
  participant,
  creditor,
  ibanEnd,
  signedOn,
  method,
})
const target = ({ rum, participant }: Mandate) => `${participant}, ${rum}`

export function mandateRoutes(app: FastifyInstance) {
  route(app, mandates.list, ({ query }, { db, actor }) => listMandates(db, actor, query))
  route(app, mandates.text, async ({ query }, { db, actor }) => {
    await requireDebtor(db, actor, query.participantId)
    return mandateText(db, actor.companyId, query.creditorId, query.participantId)
  })
  route(app, mandates.sign, async ({ body }, ctx) => {
    const after = await signMandate(ctx.db, ctx.secrets, ctx.actor, body, originOf(ctx))
    ctx.note({ target: target(after), detail: { after: facts(after) } })
    return after
  })
  route(app, mandates.add, async ({ body }, ctx) => {
    const after = await addMandate(ctx.db, ctx.secrets, ctx.actor, body)
    ctx.note({ target: target(after), detail: { after: facts(after) } })
    return after
  })
  route(app, mandates.import, async ({ query, upload }, ctx) => {
    const cells = await ctx.compute('mandates.read', handedOver(upload), {
      companyId: ctx.actor.companyId,
      signal: ctx.signal,
    })
    const report = await importMandates(ctx.db, ctx.secrets, ctx.actor, cells, query)
    const { added, known, refused } = report
    ctx.note({ target: query.name, detail: { after: { added, known, refused, dryRun: query.dryRun } } })
    return report
  })
  route(app, mandates.takeOver, async ({ body }, { db, secrets, actor, note }) => {
    const report = await takeOverSheets(db, secrets, actor, body.creditorId)
    note({
      target: 'Mandats notés sur les fiches',
      detail: { after: { added: report.added, refused: report.refused } },
    })
    return report
  })
  changes(app)
}

function changes(app: FastifyInstance) {
  route(app, mandates.account, async ({ params, body }, ctx) => {
    const { before, after } = await changeAccount(ctx.db, ctx.secrets, ctx.actor, params.id, body)
    ctx.note({
      target: target(after),
      detail: { before: { ibanEnd: before.ibanEnd }, after: { ibanEnd: after.ibanEnd } },
    })
    return after
  })
  route(app, mandates.revoke, async ({ params, body }, { db, actor, note }) => {
    const after = await revokeMandate(db, actor, params.id, body)
    note({ target: target(after), detail: { after: { reason: body.reason } } })
    return after
  })
  route(app, mandates.file, ({ params }, { db, files, actor }) => paperOf(db, files, actor, params.id))
  route(app, mandates.putFile, async ({ params, query, upload }, { db, files, actor, note }) => {
    const { file, after } = await putPaper(db, files, actor, params.id, { name: query.name, content: upload })
    note({ target: target(after), detail: { after: { file: file.name, size: file.size } } })
    return after
  })
}
