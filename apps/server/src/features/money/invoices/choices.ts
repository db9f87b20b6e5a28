import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices, operations, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { invoiceScope } from './scope.ts'

/** The operations, sellers and months that have at least one document. */
export async function loadInvoiceFilterChoices(db: Db, actor: Actor) {
  const own = invoiceScope(actor)
  const month = sql<string>`to_char(${invoices.from}, 'YYYY-MM-01')`
  const [inOperations, bySellers, months] = [
    await db
      .selectDistinct({ id: operations.id, name: operations.name })
      .from(invoices)
      .innerJoin(operations, and(eq(operations.companyId, invoices.companyId), eq(operations.id, invoices.operationId)))
      .where(own)
      .orderBy(asc(operations.name)),
    await db
      .selectDistinct({ id: sellers.id, name: sellers.name })
      .from(invoices)
      .innerJoin(sellers, and(eq(sellers.companyId, invoices.companyId), eq(sellers.id, invoices.sellerId)))
      .where(own)
      .orderBy(asc(sellers.name)),
    await db.selectDistinct({ month }).from(invoices).where(own).orderBy(desc(month)),
  ]
  return { operations: inOperations, sellers: bySellers, months: months.map((row) => row.month) }
}
