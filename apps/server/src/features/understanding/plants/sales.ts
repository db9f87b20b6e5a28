import { sql } from 'drizzle-orm'
import { withinOperationLimit } from '../../../core/limit.ts'
import type { Db } from '../../../db/client.ts'
import { invoices, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Period } from '../energy/energy.ts'

/** Cents without tax, and the number of documents behind them. */
export type ProducerSales = { net: number; documents: number }

/** By producer, what was issued in its name for the period, minus credit notes. */
export async function loadSalesByProducer(db: Db, actor: Actor, period: Period, operationId: string | undefined) {
  const { rows } = await db.execute<ProducerSales & { id: string }>(sql`
    select ${sellers.participantId} as id, count(*)::int as documents,
           sum(case when ${invoices.kind} = 'creditNote' then -${invoices.net} else ${invoices.net} end)::float8 as net
      from ${invoices} join ${sellers} on ${sellers.companyId} = ${invoices.companyId} and ${sellers.id} = ${invoices.sellerId}
     where ${invoices.companyId} = ${actor.companyId} and ${sellers.participantId} is not null
       and ${invoices.from} >= ${period.from} and ${invoices.from} < ${period.to} and ${invoices.kind} <> 'statement'
       and ${withinOperationLimit(actor, invoices.operationId) ?? sql`true`}
       and ${operationId ? sql`${invoices.operationId} = ${operationId}` : sql`true`}
     group by 1`)
  return new Map(rows.map(({ id, ...sold }): [string, ProducerSales] => [id, sold]))
}
