import type { PastDocument, ShadowRow } from '@voisol/contract/takeovers'
import { and, asc, desc, eq } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { participants, pastDocuments, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type ComputeContext, checkOpenMonth, computeMonth } from '../billing/billing.ts'
import { loadBuyers, loadSellers } from '../parties/parties.ts'
import { compareWithPastBilling, type OurDocument, type TheirDocument } from './shadow.ts'

const selectPastDocuments = (db: Db, companyId: number, operationId: string) =>
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

// The column only stores these values.
const toDocumentKind = (kind: string) => kind as PastDocument['kind']

export async function listPastDocuments(db: Db, actor: Actor, operationId: string): Promise<PastDocument[]> {
  await requireVisibleOperation(db, actor, operationId)
  return (await selectPastDocuments(db, actor.companyId, operationId)).map(({ document, seller, buyer }) => ({
    id: document.id,
    seller: { id: document.sellerId, name: seller },
    buyer: { id: document.buyerId, name: buyer },
    number: document.number,
    kind: toDocumentKind(document.kind),
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

/** A month billed elsewhere beside what we would bill for it today; writes nothing. */
export async function loadShadowComparison(
  ctx: ComputeContext & { db: Db; actor: Actor },
  operationId: string,
  month: string,
) {
  const { db, actor } = ctx
  const { companyId } = actor
  const operation = await requireVisibleOperation(db, actor, operationId)
  const monthRequest = { companyId, operationId, month, acceptLastIndex: true }
  const computed = await computeMonth(ctx, db, monthRequest)
  const problems = computed.outcome.ok ? [] : await loadBlockingSentences(db, operation, monthRequest, computed)
  const ours: OurDocument[] = computed.outcome.ok
    ? computed.outcome.month.documents.map(({ seller, buyer, lines, totals: { net, tax, gross } }) => ({
        sellerId: seller,
        buyerId: buyer,
        wh: lines.reduce((sum, line) => sum + (line.kind === 'energy' ? line.wh : 0), 0),
        net,
        tax,
        gross,
      }))
    : []
  const past = await selectPastDocuments(db, companyId, operationId)
  const theirs = past
    .filter(({ document }) => document.month === `${month}-01`)
    .map(({ document }): TheirDocument => ({ ...document, kind: toDocumentKind(document.kind) }))
  return { ...(await withPartyNames(db, companyId, compareWithPastBilling(ours, theirs))), problems }
}

async function loadBlockingSentences(...[db, operation, request, computed]: Parameters<typeof checkOpenMonth>) {
  const { items } = await checkOpenMonth(db, operation, request, computed)
  return items.filter(({ level }) => level === 'blocking').map(({ sentence }) => sentence)
}

async function withPartyNames(db: Db, companyId: number, rows: ReturnType<typeof compareWithPastBilling>) {
  const sellerNames = new Map((await loadSellers(db, companyId)).map(({ id, name }) => [id, name]))
  const buyers = await loadBuyers(db, companyId, [...new Set(rows.map(({ buyerId }) => buyerId))])
  const namedRows = rows.map(
    ({ sellerId, buyerId, ...row }): ShadowRow => ({
      ...row,
      seller: { id: sellerId, name: sellerNames.get(sellerId) ?? '' },
      buyer: { id: buyerId, name: buyers.get(buyerId)?.name ?? '' },
    }),
  )
  const sum = (of: 'ours' | 'theirs') => namedRows.reduce((all, row) => all + (row[of]?.gross ?? 0), 0)
  const same = namedRows.filter(({ cause }) => cause === 'none').length
  return {
    rows: namedRows,
    totals: {
      ours: sum('ours'),
      theirs: sum('theirs'),
      difference: sum('ours') - sum('theirs'),
      same,
      differs: namedRows.length - same,
    },
  }
}
