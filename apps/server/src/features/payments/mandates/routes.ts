import { type Mandate, mandates } from '@voisol/contract/mandates'
import type { FastifyInstance } from 'fastify'
import { getSignatureOrigin } from '../../../core/signature.ts'
import { addRoute } from '../../../http/route.ts'
import { copyForTransfer } from '../../../workers/task.ts'
import {
  addMandate,
  changeMandateAccount,
  loadScannedMandate,
  revokeMandate,
  saveScannedMandate,
  signMandate,
} from './change-mandates.ts'
import { importMandates, importNotedMandates } from './import-mandates.ts'
import { listMandates, requireDebtor } from './list-mandates.ts'
import { loadMandateText } from './mandate-text.ts'

/** The audit log keeps the last digits of the IBAN, never the whole IBAN. */
const toAuditDetail = ({ rum, participant, creditor, ibanEnd, signedOn, method }: Mandate) => ({
  rum,
  participant,
  creditor,
  ibanEnd,
  signedOn,
  method,
})
const buildAuditTarget = ({ rum, participant }: Mandate) => `${participant}, ${rum}`

export function registerMandateRoutes(app: FastifyInstance) {
  addRoute(app, mandates.list, ({ query }, { db, actor }) => listMandates(db, actor, query))
  addRoute(app, mandates.text, async ({ query }, { db, actor }) => {
    await requireDebtor(db, actor, query.participantId)
    return loadMandateText(db, actor.companyId, query.creditorId, query.participantId)
  })
  addRoute(app, mandates.sign, async ({ body }, ctx) => {
    const after = await signMandate(ctx.db, ctx.secrets, ctx.actor, body, getSignatureOrigin(ctx))
    ctx.note({ target: buildAuditTarget(after), detail: { after: toAuditDetail(after) } })
    return after
  })
  addRoute(app, mandates.add, async ({ body }, ctx) => {
    const after = await addMandate(ctx.db, ctx.secrets, ctx.actor, body)
    ctx.note({ target: buildAuditTarget(after), detail: { after: toAuditDetail(after) } })
    return after
  })
  addRoute(app, mandates.import, async ({ query, upload }, ctx) => {
    const cells = await ctx.compute('mandates.read', copyForTransfer(upload), {
      companyId: ctx.actor.companyId,
      signal: ctx.signal,
    })
    const report = await importMandates(ctx.db, ctx.secrets, ctx.actor, cells, query)
    const { added, known, refused } = report
    ctx.note({ target: query.name, detail: { after: { added, known, refused, dryRun: query.dryRun } } })
    return report
  })
  addRoute(app, mandates.takeOver, async ({ body }, { db, secrets, actor, note }) => {
    const report = await importNotedMandates(db, secrets, actor, body.creditorId)
    note({
      target: 'Mandats notés sur les fiches',
      detail: { after: { added: report.added, refused: report.refused } },
    })
    return report
  })
  registerMandateChangeRoutes(app)
}

function registerMandateChangeRoutes(app: FastifyInstance) {
  addRoute(app, mandates.account, async ({ params, body }, ctx) => {
    const { before, after } = await changeMandateAccount(ctx.db, ctx.secrets, ctx.actor, params.id, body)
    ctx.note({
      target: buildAuditTarget(after),
      detail: { before: { ibanEnd: before.ibanEnd }, after: { ibanEnd: after.ibanEnd } },
    })
    return after
  })
  addRoute(app, mandates.revoke, async ({ params, body }, { db, actor, note }) => {
    const after = await revokeMandate(db, actor, params.id, body)
    note({ target: buildAuditTarget(after), detail: { after: { reason: body.reason } } })
    return after
  })
  addRoute(app, mandates.file, ({ params }, { db, files, actor }) => loadScannedMandate(db, files, actor, params.id))
  addRoute(app, mandates.putFile, async ({ params, query, upload }, { db, files, actor, note }) => {
    const { file, after } = await saveScannedMandate(db, files, actor, params.id, { name: query.name, content: upload })
    note({ target: buildAuditTarget(after), detail: { after: { file: file.name, size: file.size } } })
    return after
  })
}
