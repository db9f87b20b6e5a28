import { and, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { getToday } from '../../../today.ts'
import { issueSubscriptionBill } from './bill.ts'
import { loadSubscriptionDocuments } from './buyers.ts'
import { getMoneyBackEnd } from './choose.ts'
import { lockSubscription, type SubscriptionRow } from './find.ts'
import { changeSubscription } from './move.ts'

const REFUND_REASON = 'Garantie de remboursement de 30 jours'

/** The invoices of the plan since its start that are not credited yet; options are not refunded with it. */
async function listRefundableInvoices(tx: Db, { companyId, startedOn }: SubscriptionRow) {
  const documents = await loadSubscriptionDocuments(tx, companyId, 'plan')
  const plans = documents.filter(({ kind, issuedOn }) => kind === 'invoice' && startedOn && issuedOn >= startedOn)
  const [first] = plans
  if (!first) return []
  const ids = plans.map(({ id }) => id)
  const credits = await tx
    .select({ id: invoices.correctsId })
    .from(invoices)
    .where(and(eq(invoices.companyId, first.companyId), inArray(invoices.correctsId, ids)))
  const credited = new Set(credits.map(({ id }) => id))
  return plans.filter(({ id }) => !credited.has(id))
}

/** Refunds every invoice of the plan by a credit note with the same lines, and ends the subscription today. */
export async function refundPlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: { version: number }) {
  const row = await lockSubscription(tx, actor.companyId)
  requireCurrentVersion(row, input)
  if (!getMoneyBackEnd(row))
    throw new AppError('conflict', {
      message:
        'Les trente jours de la garantie sont passés\u00a0: vous pouvez arrêter l’abonnement à la fin de la période.',
    })
  const [on, by] = [getToday(), formatActorName(actor)]
  for (const { id, number, issuedOn, snapshot } of await listRefundableInvoices(tx, row)) {
    const lines = snapshot.lines.map(({ label, from, to, net }) => ({ label, from, to, net }))
    const bill = { kind: 'credit', title: snapshot.operation.name, lines, on, by } as const
    await issueSubscriptionBill(tx, deps, row, bill, { id, number, issuedOn, reason: REFUND_REASON })
  }
  return changeSubscription(
    tx,
    row,
    'ended',
    { nextPlan: null, nextPeriod: null, paidTo: on },
    { kind: 'refunded', on, by },
  )
}
