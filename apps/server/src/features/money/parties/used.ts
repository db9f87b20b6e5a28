import { and, eq, gte, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'

/** By seller, the last day of what was invoiced: a relevé owes no tax, so that no VAT mode hangs on it. */
export async function loadLastBilledDays(db: Db, companyId: number): Promise<Map<string, string>> {
  const rows = await db
    .select({ sellerId: invoices.sellerId, last: sql<string>`(max(${invoices.to}) - 1)::text` })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), ne(invoices.kind, 'statement')))
    .groupBy(invoices.sellerId)
  return new Map(rows.map(({ sellerId, last }) => [sellerId, last]))
}

/** The documents of a seller that were issued from one day to another, or otherwise chosen: the first of them. */
export async function findFirstIssuedDocument(db: Db, companyId: number, sellerId: string, more?: SQL) {
  const [row] = await db
    .select({ number: invoices.number, issuedOn: invoices.issuedOn })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), eq(invoices.sellerId, sellerId), more))
    .orderBy(invoices.issuedOn, invoices.number)
    .limit(1)
  return row
}

type Dates = { startsOn: string; endsOn: string | null }
/** Issued while the first dates held; where others are given, and not while those do. */
export const issuedInPeriodSql = ({ startsOn, endsOn }: Dates, except?: Dates): SQL | undefined =>
  and(
    gte(invoices.issuedOn, startsOn),
    endsOn === null ? undefined : lt(invoices.issuedOn, endsOn),
    except &&
      or(
        lt(invoices.issuedOn, except.startsOn),
        except.endsOn === null ? undefined : gte(invoices.issuedOn, except.endsOn),
      ),
  )
