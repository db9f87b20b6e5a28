import { and, eq, gte, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'

/** By seller, the last invoiced day, without statements: they owe no VAT and so do not depend on its mode. */
export async function loadLastBilledDays(db: Db, companyId: number): Promise<Map<string, string>> {
  const rows = await db
    .select({ sellerId: invoices.sellerId, last: sql<string>`(max(${invoices.to}) - 1)::text` })
    .from(invoices)
    .where(and(eq(invoices.companyId, companyId), ne(invoices.kind, 'statement')))
    .groupBy(invoices.sellerId)
  return new Map(rows.map(({ sellerId, last }) => [sellerId, last]))
}

/** The first issued document of a seller, optionally with a further condition. */
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
/** Issued within the first dates and, when others are given, outside those. */
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
