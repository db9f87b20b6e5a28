import type { PastDocument, ShadowRow } from '@voisol/contract/takeovers'
import { and, asc, desc, eq } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { participants, pastDocuments, sellers } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { type ComputeContext, checkOpenMonth, computeMonth } from '../../billing/month-closing/index.ts'
import { loadBuyers, loadSellers } from '../../billing/parties/index.ts'

type DocumentAmounts = { net: number; tax: number; gross: number }
type OurDocument = DocumentAmounts & { sellerId: string; buyerId: string; wh: number }
type TheirDocument = DocumentAmounts & {
  sellerId: string
  buyerId: string
  wh: number | null
  kind: 'invoice' | 'creditNote'
}

const getPairKey = ({ sellerId, buyerId }: { sellerId: string; buyerId: string }) => `${sellerId} ${buyerId}`

function sumOurDocuments(rows: OurDocument[]): ShadowRow['ours'] {
  if (rows.length === 0) return null
  const sum = (name: 'wh' | keyof DocumentAmounts) => rows.reduce((all, row) => all + row[name], 0)
  return { wh: sum('wh'), net: sum('net'), tax: sum('tax'), gross: sum('gross') }
}

/** Credit notes are subtracted; if one document has no energy, the total energy is unknown. */
function sumTheirDocuments(rows: TheirDocument[]): ShadowRow['theirs'] {
  if (rows.length === 0) return null
  const applySign = (value: number, { kind }: TheirDocument) => (kind === 'creditNote' ? 0 - value : value)
  const sum = (name: keyof DocumentAmounts) => rows.reduce((all, row) => all + applySign(row[name], row), 0)
  const wh = rows.reduce<number | null>(
    (all, row) => (all === null || row.wh === null ? null : all + applySign(row.wh, row)),
    0,
  )
  return { wh, net: sum('net'), tax: sum('tax'), gross: sum('gross') }
}

/** Watt-hours that rounding to a tenth of a kWh may hide in the other program's documents. */
const ROUNDING_TOLERANCE_WH = 50

function findDifferenceCause(ours: ShadowRow['ours'], theirs: ShadowRow['theirs']): ShadowRow['cause'] {
  if (!ours) return 'missing'
  if (!theirs) return 'extra'
  const alike = theirs.wh === null || Math.abs(ours.wh - theirs.wh) <= ROUNDING_TOLERANCE_WH
  if (ours.net === theirs.net && ours.gross === theirs.gross && alike) return 'none'
  if (!alike) return 'energy'
  return ours.net === theirs.net ? 'tax' : 'price'
}

/** What we would have billed beside what was billed, by seller and buyer, largest difference first. */
export function compareWithPastBilling(ours: OurDocument[], theirs: TheirDocument[]) {
  const pairs = [
    ...new Map(
      [...ours, ...theirs].map(({ sellerId, buyerId }) => [getPairKey({ sellerId, buyerId }), { sellerId, buyerId }]),
    ).values(),
  ]
  const rows = pairs.map((pair) => {
    const own = <T extends { sellerId: string; buyerId: string }>(all: T[]) =>
      all.filter((row) => getPairKey(row) === getPairKey(pair))
    const [here, there] = [sumOurDocuments(own(ours)), sumTheirDocuments(own(theirs))]
    return {
      ...pair,
      ours: here,
      theirs: there,
      difference: (here?.gross ?? 0) - (there?.gross ?? 0),
      cause: findDifferenceCause(here, there),
    }
  })
  return rows.sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
}

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
