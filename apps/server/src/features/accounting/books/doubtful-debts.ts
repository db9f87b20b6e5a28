import type { DoubtfulDebt } from '@voisol/contract/book-views'
import type { NewDoubtfulDebt } from '@voisol/contract/books'
import type { DoubtfulClaim } from '@voisol/money/accounts/build-entries'
import { and, asc, eq, isNull, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { bookDoubts, bookEntries, invoices } from '../../../db/schema/index.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { loadOpenAmounts } from '../../billing/invoices/index.ts'
import { type Entity, loadEntity, loadParties, type PartyFinder } from './book-entity.ts'

const doubtLifts = alias(bookDoubts, 'lifts')
const invoiceJoinSql = and(eq(invoices.companyId, bookDoubts.companyId), eq(invoices.id, bookDoubts.invoiceId))
const doubtsOfEntitySql = ({ companyId, id }: Entity) =>
  and(eq(bookDoubts.companyId, companyId), eq(invoices.sellerId, id))
const getCustomer = ({ buyerId, clientSellerId }: typeof invoices.$inferSelect, parties: PartyFinder) =>
  clientSellerId ? parties.seller(clientSellerId) : parties.customer(buyerId ?? '')

/** Doubtful claims that no locked month holds yet. */
export async function loadDoubtFacts(db: Db, entity: Entity, parties: PartyFinder): Promise<DoubtfulClaim[]> {
  const bookedEntries = db
    .select({ one: sql`1` })
    .from(bookEntries)
    .where(
      and(
        eq(bookEntries.companyId, bookDoubts.companyId),
        eq(bookEntries.sellerId, entity.id),
        eq(bookEntries.source, sql`'doubt:' || ${bookDoubts.id}`),
      ),
    )
  const rows = await db
    .select({ doubt: bookDoubts, invoice: invoices })
    .from(bookDoubts)
    .innerJoin(invoices, invoiceJoinSql)
    .where(and(doubtsOfEntitySql(entity), notExists(bookedEntries)))
  return rows.map(({ doubt, invoice }) => ({
    id: doubt.id,
    invoiceId: doubt.invoiceId,
    number: invoice.number,
    cents: doubt.cents,
    lost: doubt.lost,
    day: doubt.bookedOn,
    customer: getCustomer(invoice, parties),
    lifted: doubt.liftsId !== null,
  }))
}

export async function listDoubts(db: Db, entity: Entity): Promise<DoubtfulDebt[]> {
  const parties = await loadParties(db, entity.companyId)
  const rows = await db
    .select({ doubt: bookDoubts, invoice: invoices, lifted: doubtLifts.bookedOn })
    .from(bookDoubts)
    .innerJoin(invoices, invoiceJoinSql)
    .leftJoin(doubtLifts, and(eq(doubtLifts.companyId, bookDoubts.companyId), eq(doubtLifts.liftsId, bookDoubts.id)))
    .where(and(doubtsOfEntitySql(entity), isNull(bookDoubts.liftsId)))
    .orderBy(asc(bookDoubts.bookedOn), asc(bookDoubts.createdAt))
  return rows.map(({ doubt, invoice, lifted }) => ({
    id: doubt.id,
    invoiceId: doubt.invoiceId,
    number: invoice.number,
    customer: getCustomer(invoice, parties).name,
    cents: doubt.cents,
    lost: doubt.lost,
    bookedOn: doubt.bookedOn,
    reason: doubt.reason,
    by: doubt.createdBy,
    lifted,
  }))
}

/** The probable loss on the part of a claim that is not VAT, rounded half up, in whole cents. */
export function computeLostAmount(open: number, { net, gross }: { net: number; gross: number }, bp: number): number {
  const [part, whole] = [BigInt(open) * BigInt(net) * BigInt(bp), BigInt(gross) * 10_000n]
  return Number((2n * part + whole) / (2n * whole))
}

export async function addDoubt(
  tx: Db,
  entity: Entity,
  input: z.output<typeof NewDoubtfulDebt>,
  by: string,
): Promise<string> {
  const { companyId, id: sellerId } = entity
  const [invoice] = await tx
    .select()
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.sellerId, sellerId), eq(invoices.id, input.invoiceId)))
  if (!invoice) throw new AppError('not-found')
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`doubt ${companyId} ${invoice.id}`}, 0))`)
  const open = (await loadOpenAmounts(tx, companyId)).get(invoice.id) ?? 0
  if (invoice.kind === 'creditNote' || open <= 0)
    throw fieldError(
      'invoiceId',
      `${invoice.number} ne laisse rien à payer\u00a0: il n’y a pas de créance à déclarer douteuse.`,
      'conflict',
    )
  if ((await listDoubts(tx, entity)).some((one) => one.invoiceId === invoice.id && !one.lifted))
    throw fieldError('invoiceId', `${invoice.number} est déjà une créance douteuse.`, 'conflict')
  if (input.bookedOn < invoice.issuedOn)
    throw fieldError('bookedOn', 'Une créance ne peut pas être douteuse avant sa facture.')
  const { invoiceId, bookedOn, reason } = input
  const lost = computeLostAmount(open, invoice, input.lostBp)
  await tx.insert(bookDoubts).values({ companyId, invoiceId, cents: open, lost, bookedOn, reason, createdBy: by })
  return invoice.number
}

export async function liftDoubt(tx: Db, companyId: number, id: string, bookedOn: string, by: string) {
  const [found] = await tx
    .select({ doubt: bookDoubts, invoice: invoices })
    .from(bookDoubts)
    .innerJoin(invoices, invoiceJoinSql)
    .where(and(eq(bookDoubts.companyId, companyId), eq(bookDoubts.id, id), isNull(bookDoubts.liftsId)))
  if (!found) throw new AppError('not-found')
  const { doubt, invoice } = found
  if (bookedOn < doubt.bookedOn) throw fieldError('bookedOn', 'Le doute se lève le jour où il a été déclaré, ou après.')
  const { invoiceId, cents, lost, reason } = doubt
  const values = { companyId, invoiceId, cents, lost, bookedOn, reason, liftsId: id, createdBy: by }
  const added = await tx.insert(bookDoubts).values(values).onConflictDoNothing().returning({ id: bookDoubts.id })
  if (!added.length) throw new AppError('conflict', { message: `Le doute sur ${invoice.number} est déjà levé.` })
  return { entity: await loadEntity(tx, companyId, invoice.sellerId), number: invoice.number }
}
