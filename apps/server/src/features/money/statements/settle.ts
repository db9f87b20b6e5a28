import { addDays } from '@voisol/money/days'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, producerStatements } from '../../../db/schema/index.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { issueDocuments } from '../invoices/invoices.ts'
import { findVatModeOn, loadOrganisersByOperation, loadSellers, type SellerRow } from '../parties/parties.ts'
import { loadSettingsOn } from '../settings/settings.ts'
import { getNextMonthStart, loadSoldDocuments, type SoldDocument } from './documents.ts'
import { buildFeeDraft } from './fee-invoice.ts'
import { type FrozenStatement, findOrganiser, loadStatement } from './view.ts'

const getLastDay = (month: string) => addDays(getNextMonthStart(month), -1)

async function loadSnapshotOperation(tx: Db, companyId: number, id: string) {
  const [row] = await tx
    .select()
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, id)))
  if (!row) throw new AppError('not-found')
  return { id: row.id, name: row.name, accNumber: row.accNumber ?? '', pmoName: row.pmoName, pmoSiren: row.pmoSiren }
}

type FeeInvoiceInput = { secrets: Secrets; actor: Actor; seller: SellerRow; sellers: SellerRow[]; sold: SoldDocument[] }

/** The organiser's fee invoice, if there are fees. */
async function invoiceFees(
  tx: Db,
  { secrets, actor, seller, sellers, sold }: FeeInvoiceInput,
  statement: FrozenStatement,
) {
  const [first] = sold
  if (statement.fee.gross === 0 || !first) return null
  const { companyId } = actor
  const organiser = findOrganiser(await loadOrganisersByOperation(tx, companyId), sold, sellers)
  if (!organiser)
    throw new AppError('conflict', {
      message:
        'L’organisateur qui facture les frais n’est pas choisi\u00a0: indiquez-le dans la facturation de l’opération.',
    })
  if (!findVatModeOn(organiser, getLastDay(statement.month)))
    throw new AppError('conflict', {
      message: `Le régime de TVA de ${organiser.name} n’est pas renseigné\u00a0: ses frais ne peuvent pas être facturés.`,
    })
  const operation = await loadSnapshotOperation(tx, companyId, first.operationId)
  const settings = await loadSettingsOn(tx, companyId, getToday())
  const draft = buildFeeDraft({ secrets, settings, organiser, producer: seller, operation, statement })
  const order = {
    companyId,
    operationId: operation.id,
    computationId: null,
    issuedBy: formatActorName(actor),
    drafts: [draft],
  }
  const { ids } = await issueDocuments(tx, secrets, order)
  return ids[0] ?? null
}

/** Freezes a producer's month and invoices the organiser's fees; a second call changes nothing. */
export async function settleStatement(tx: Db, secrets: Secrets, actor: Actor, sellerId: string, month: string) {
  const { companyId } = actor
  // Concurrent settlements of a month wait for each other on the seller's row.
  const { rows } = await tx.$client.query('select 1 from sellers where company_id = $1 and id = $2 for update', [
    companyId,
    sellerId,
  ])
  if (!rows.length) throw new AppError('not-found')
  const { settled, waits, items: _, ...statement } = await loadStatement(tx, actor, sellerId, month)
  if (settled) return { statement: { ...statement, settled, waits }, already: true }
  if (waits) throw new AppError('conflict', { message: waits })
  const sellers = await loadSellers(tx, companyId)
  const seller = sellers.find(({ id }) => id === sellerId)
  if (!seller) throw new AppError('not-found')
  const sold = await loadSoldDocuments(tx, companyId, {
    sellerId,
    from: statement.month,
    to: getNextMonthStart(statement.month),
  })
  const invoiceId = await invoiceFees(tx, { secrets, actor, seller, sellers, sold }, statement)
  await tx.insert(producerStatements).values({
    companyId,
    sellerId,
    month: statement.month,
    snapshot: statement,
    invoiceId,
    createdBy: formatActorName(actor),
  })
  const { items: __, ...settledStatement } = await loadStatement(tx, actor, sellerId, month)
  return { statement: settledStatement, already: false }
}
