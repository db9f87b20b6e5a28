import { INVOICE_KIND_LABELS } from '@voisol/contract/money'
import { and, eq, sql } from 'drizzle-orm'
import { type SearchSource, searchTextColumn } from '../../../core/search.ts'
import { invoices } from '../../../db/schema/index.ts'
import { formatFrenchMonth } from '../../../french.ts'
import { invoiceScope } from './scope.ts'

const searchTextSql = searchTextColumn(invoices)
/** A year of invoices repeats each name twelve times, so for similar names the latest are enough. */
const MAX_SIMILAR_INVOICES = 120

/** Searches printed numbers and buyers in the index alone; only the rows shown are read. */
export const searchInvoices: SearchSource = async (db, actor, look) => {
  const best = db
    .select({ id: invoices.id, text: searchTextSql.as('words'), rank: look.rank(searchTextSql).as('rank') })
    .from(invoices)
    .where(and(invoiceScope(actor), look.holds(searchTextSql)))
    .orderBy(sql`rank`, sql`${invoices.issuedOn} desc`, invoices.id)
    .limit(Math.min(look.most, MAX_SIMILAR_INVOICES))
    .as('best')
  const rows = await db
    .select({
      id: invoices.id,
      number: invoices.number,
      kind: sql<keyof typeof INVOICE_KIND_LABELS>`${invoices.kind}`,
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
    title: `${INVOICE_KIND_LABELS[kind]} ${number}`,
    detail: `${buyer} · ${formatFrenchMonth(from)}`,
    to: actor.space === 'portal' ? `/client-portal/invoices?facture=${id}` : `/invoice/${id}`,
    text,
  }))
}
