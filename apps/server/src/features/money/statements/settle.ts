import { addDays } from '@voisol/money/days'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { operations, producerStatements } from '../../../db/schema/index.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Secrets } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import { issueDocuments } from '../invoices/invoices.ts'
import { organisersOf, type SellerRow, sellersOf, vatModeOn } from '../parties/parties.ts'
import { settingsOn } from '../settings/settings.ts'
import { monthAfter, type SoldDocument, soldIn } from './documents.ts'
import { feeDraft } from './fee-invoice.ts'
import { type Frozen, getStatement, organiserOf } from './view.ts'

const lastDayOf = (month: string) => addDays(monthAfter(month), -1)

async function operationOf(tx: Db, companyId: number, id: string) {
  const [row] = await tx
    .select()
    .from(operations)
    .where(and(eq(operations.companyId, companyId), eq(operations.id, id)))
  if (!row) throw new AppError('not-found')
  return { id: row.id, name: row.name, accNumber: row.accNumber ?? '', pmoName: row.pmoName, pmoSiren: row.pmoSiren }
}

type Fees = { secrets: Secrets; actor: Actor; seller: SellerRow; sellers: SellerRow[]; sold: SoldDocument[] }

/** The organiser's invoice of its fees, where there are any. */
async function invoiceFees(tx: Db, { secrets, actor, seller, sellers, sold }: Fees, statement: Frozen) {
  const [first] = sold
  if (statement.fee.gross === 0 || !first) return null
  const { companyId } = actor
  const organiser = organiserOf(await organisersOf(tx, companyId), sold, sellers)
  if (!organiser)
    throw new AppError('conflict', {
      message:
        'L’organisateur qui facture les frais n’est pas choisi\u00a0: indiquez-le dans la facturation de l’opération.',
    })
  if (!vatModeOn(organiser, lastDayOf(statement.month)))
    throw new AppError('conflict', {
      message: `Le régime de TVA de ${organiser.name} n’est pas renseigné\u00a0: ses frais ne peuvent pas être facturés.`,
    })
  const operation = await operationOf(tx, companyId, first.operationId)
  const settings = await settingsOn(tx, companyId, today())
  const draft = feeDraft({ secrets, settings, organiser, producer: seller, operation, statement })
  const order = {
    companyId,
    operationId: operation.id,
    computationId: null,
    issuedBy: nameOfActor(actor),
    drafts: [draft],
  }
  const { ids } = await issueDocuments(tx, secrets, order)
  return ids[0] ?? null
}

/** Tells a producer's month for good, and invoices the organiser's fees; told twice, it is told once. */
export async function settleStatement(tx: Db, secrets: Secrets, actor: Actor, sellerId: string, month: string) {
  const { companyId } = actor
  // Two who settle the same month wait for each other at the seller.
  const { rows } = await tx.$client.query('select 1 from sellers where company_id = $1 and id = $2 for update', [
    companyId,
    sellerId,
  ])
  if (!rows.length) throw new AppError('not-found')
  const { settled, waits, items: _, ...statement } = await getStatement(tx, actor, sellerId, month)
  if (settled) return { statement: { ...statement, settled, waits }, already: true }
  if (waits) throw new AppError('conflict', { message: waits })
  const sellers = await sellersOf(tx, companyId)
  const seller = sellers.find(({ id }) => id === sellerId)
  if (!seller) throw new AppError('not-found')
  const sold = await soldIn(tx, companyId, { sellerId, from: statement.month, to: monthAfter(statement.month) })
  const invoiceId = await invoiceFees(tx, { secrets, actor, seller, sellers, sold }, statement)
  await tx.insert(producerStatements).values({
    companyId,
    sellerId,
    month: statement.month,
    snapshot: statement,
    invoiceId,
    createdBy: nameOfActor(actor),
  })
  const { items: __, ...told } = await getStatement(tx, actor, sellerId, month)
  return { statement: told, already: false }
}
