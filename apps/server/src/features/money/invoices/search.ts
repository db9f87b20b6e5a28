import { KIND_WORDS } from '@voisol/contract/money'
import { and, eq, sql } from 'drizzle-orm'
import { type Source, textOf } from '../../../core/search.ts'
import { invoices } from '../../../db/schema/index.ts'
import { frenchMonth } from '../../../french.ts'
import { invoiceScope } from './scope.ts'

const text = textOf(invoices)
/** A year of invoices bears each name twelve times: of those that only resemble, the latest are enough. */
const RESEMBLING = 120

/** By number or by buyer, as printed. The index alone tells which; only those that are shown are read. */
export const searchInvoices: Source = async (db, actor, look) => {
  const best = db
    .select({ id: invoices.id, text: text.as('words'), rank: look.rank(text).as('rank') })
    .from(invoices)
    .where(and(invoiceScope(actor), look.holds(text)))
    .orderBy(sql`rank`, sql`${invoices.issuedOn} desc`, invoices.id)
    .limit(Math.min(look.most, RESEMBLING))
    .as('best')
  const rows = await db
    .select({
      id: invoices.id,
      number: invoices.number,
      kind: sql<keyof typeof KIND_WORDS>`${invoices.kind}`,
      from: invoices.from,
      buyer: sql<string>`${invoices.snapshot} #>> '{buyer,name}'`,
      text: best.text,
    })
    .from(best)
    .innerJoin(invoices, and(eq(invoices.companyId, actor.companyId), eq(invoices.id, best.id)))
    .orderBy(best.rank, sql`${invoices.issuedOn} desc`, invoices.id)
  return rows.map(({ id, number, kind, from, buyer, text }) => ({
    kind: 'invoice',
    id,
    title: `${KIND_WORDS[kind]} ${number}`,
    detail: `${buyer} · ${frenchMonth(from)}`,
    to: actor.space === 'portal' ? `/client-portal/invoices?facture=${id}` : `/invoice/${id}`,
    text,
  }))
}
