import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { subscriptionInvoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { today } from '../../../today.ts'
import { invoiceOf } from '../../money/invoices/invoices.ts'
import { issueBill } from './bill.ts'
import { moneyBackUntil } from './choose.ts'
import { lockSubscription, type SubscriptionRow } from './find.ts'
import { move } from './move.ts'

const REASON = 'Garantie de remboursement de 30 jours'

/** What was asked for the plan since it began; options stand by themselves. */
async function billedSince(tx: Db, { companyId, startedOn }: SubscriptionRow) {
  const rows = await tx
    .select()
    .from(subscriptionInvoices)
    .where(and(eq(subscriptionInvoices.companyId, companyId), eq(subscriptionInvoices.kind, 'plan')))
    .orderBy(subscriptionInvoices.createdAt)
  const found = []
  for (const { sellerCompanyId, invoiceId } of rows) {
    const invoice = await invoiceOf(tx, sellerCompanyId, invoiceId)
    if (invoice && startedOn && invoice.issuedOn >= startedOn) found.push(invoice)
  }
  return found
}

/** All that was asked for the plan is given back by avoirs, line for line, and the subscription ends today. */
export async function refundPlan(tx: Db, deps: Pick<Deps, 'secrets'>, actor: Actor, input: { version: number }) {
  const row = await lockSubscription(tx, actor.companyId)
  requireVersion(row, input)
  if (!moneyBackUntil(row))
    throw new AppError('conflict', {
      message:
        'Les trente jours de la garantie sont passés\u00a0: vous pouvez arrêter l’abonnement à la fin de la période.',
    })
  const [on, by] = [today(), nameOfActor(actor)]
  for (const { id, number, issuedOn, snapshot } of await billedSince(tx, row)) {
    const lines = snapshot.lines.map(({ label, from, to, net }) => ({ label, from, to, net }))
    const bill = { kind: 'credit', title: snapshot.operation.name, lines, on, by } as const
    await issueBill(tx, deps, row, bill, { id, number, issuedOn, reason: REASON })
  }
  return move(tx, row, 'ended', { nextPlan: null, nextPeriod: null, paidTo: on }, { kind: 'refunded', on, by })
}
