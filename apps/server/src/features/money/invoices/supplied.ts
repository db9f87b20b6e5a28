import type { AnnualMonth } from '@voisol/contract/invoice-views'
import { and, asc, eq, gte, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoices } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { today } from '../../../today.ts'
import { readOpen, stateOf } from './ledger.ts'
import { invoiceScope } from './scope.ts'

type Asked = { from: string; to: string; buyerId?: string; operationId?: string }
const printed = (path: string) => sql<string>`${invoices.snapshot} #>> ${sql.raw(`'{${path}}'`)}`

const VIEW = {
  id: invoices.id,
  number: invoices.number,
  kind: sql<AnnualMonth['documents'][number]['kind']>`${invoices.kind}`,
  sellerId: invoices.sellerId,
  seller: printed('seller,name'),
  buyerId: invoices.buyerId,
  clientSellerId: invoices.clientSellerId,
  from: invoices.from,
  dueOn: invoices.dueOn,
  wh: invoices.wh,
  net: invoices.net,
  tax: invoices.tax,
  gross: invoices.gross,
}

/** The documents of what was supplied in some days, corrections with the month they correct. */
export const suppliedIn = (db: Db, actor: Actor, { from, to, buyerId, operationId }: Asked) =>
  db
    .select(VIEW)
    .from(invoices)
    .where(
      and(
        invoiceScope(actor),
        buyerId === undefined ? undefined : eq(invoices.buyerId, buyerId),
        operationId === undefined ? undefined : eq(invoices.operationId, operationId),
        gte(invoices.from, from),
        lt(invoices.from, to),
      ),
    )
    .orderBy(asc(invoices.from), asc(invoices.issuedAt), asc(invoices.number))
export type Supplied = Awaited<ReturnType<typeof suppliedIn>>[number]

/** The same with what is left of each today. */
export async function standingIn(db: Db, actor: Actor, asked: Asked) {
  const rows = await suppliedIn(db, actor, asked)
  const open = await readOpen(db, actor.companyId)
  const day = today()
  return rows.map((row) => {
    const standing = { ...row, open: open.get(row.id) ?? 0 }
    return { ...standing, state: stateOf(standing, day) }
  })
}
