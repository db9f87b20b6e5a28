import type { PastDocument, ShadowRow } from '@voisol/contract/takeovers'
import { and, asc, desc, eq } from 'drizzle-orm'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { participants, pastDocuments, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type Computing, checkOpen, computeNow } from '../billing/billing.ts'
import { buyersOf, sellersOf } from '../parties/parties.ts'
import { compare, type Ours, type Theirs } from './shadow.ts'

const read = (db: Db, companyId: number, operationId: string) =>
  db
    .select({ document: pastDocuments, seller: sellers.name, buyer: participants.name })
    .from(pastDocuments)
    .innerJoin(sellers, and(eq(sellers.companyId, pastDocuments.companyId), eq(sellers.id, pastDocuments.sellerId)))
    .innerJoin(
      participants,
      and(eq(participants.companyId, pastDocuments.companyId), eq(participants.id, pastDocuments.buyerId)),
    )
    .where(and(eq(pastDocuments.companyId, companyId), eq(pastDocuments.operationId, operationId)))
    .orderBy(desc(pastDocuments.issuedOn), asc(pastDocuments.number))

// The column holds only these kinds.
const kindOf = (kind: string) => kind as PastDocument['kind']

export async function listPast(db: Db, actor: Actor, operationId: string): Promise<PastDocument[]> {
  await findOperation(db, actor, operationId)
  return (await read(db, actor.companyId, operationId)).map(({ document, seller, buyer }) => ({
    id: document.id,
    seller: { id: document.sellerId, name: seller },
    buyer: { id: document.buyerId, name: buyer },
    number: document.number,
    kind: kindOf(document.kind),
    issuedOn: document.issuedOn,
    dueOn: document.dueOn,
    month: document.month,
    wh: document.wh,
    net: document.net,
    tax: document.tax,
    gross: document.gross,
    open: document.open,
    addedBy: document.createdBy,
    addedAt: document.createdAt.toISOString(),
  }))
}

/** A month that was billed elsewhere beside what we would bill of it today; nothing is written. */
export async function shadowOf(ctx: Computing & { db: Db; actor: Actor }, operationId: string, month: string) {
  const { db, actor } = ctx
  const { companyId } = actor
  const operation = await findOperation(db, actor, operationId)
  const wanted = { companyId, operationId, month, acceptLastIndex: true }
  const computed = await computeNow(ctx, db, wanted)
  const problems = computed.outcome.ok ? [] : await problemsOf(db, operation, wanted, computed)
  const ours: Ours[] = computed.outcome.ok
    ? computed.outcome.month.documents.map(({ seller, buyer, lines, totals: { net, tax, gross } }) => ({
        sellerId: seller,
        buyerId: buyer,
        wh: lines.reduce((sum, line) => sum + (line.kind === 'energy' ? line.wh : 0), 0),
        net,
        tax,
        gross,
      }))
    : []
  const past = await read(db, companyId, operationId)
  const theirs = past
    .filter(({ document }) => document.month === `${month}-01`)
    .map(({ document }): Theirs => ({ ...document, kind: kindOf(document.kind) }))
  return { ...(await named(db, companyId, compare(ours, theirs))), problems }
}

async function problemsOf(...[db, operation, wanted, computed]: Parameters<typeof checkOpen>) {
  const { items } = await checkOpen(db, operation, wanted, computed)
  return items.filter(({ level }) => level === 'blocking').map(({ sentence }) => sentence)
}

async function named(db: Db, companyId: number, rows: ReturnType<typeof compare>) {
  const sellerNames = new Map((await sellersOf(db, companyId)).map(({ id, name }) => [id, name]))
  const buyers = await buyersOf(db, companyId, [...new Set(rows.map(({ buyerId }) => buyerId))])
  const shown = rows.map(
    ({ sellerId, buyerId, ...row }): ShadowRow => ({
      ...row,
      seller: { id: sellerId, name: sellerNames.get(sellerId) ?? '' },
      buyer: { id: buyerId, name: buyers.get(buyerId)?.name ?? '' },
    }),
  )
  const sum = (of: 'ours' | 'theirs') => shown.reduce((all, row) => all + (row[of]?.gross ?? 0), 0)
  const same = shown.filter(({ cause }) => cause === 'none').length
  return {
    rows: shown,
    totals: {
      ours: sum('ours'),
      theirs: sum('theirs'),
      difference: sum('ours') - sum('theirs'),
      same,
      differs: shown.length - same,
    },
  }
}
