import { and, asc, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { NO_SITE_OWNER } from '../../../core/site-owner.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { auditEntries, invoiceAnchors, invoiceSeries, invoices } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { appendAudit } from '../../../http/audit.ts'
import type { Secrets } from '../../../secrets.ts'
import {
  type Anchor,
  type AnchorKind,
  findAnchorKey,
  findDocumentKey,
  type InvoiceSequence,
  signAnchor,
} from './invoice-sequence.ts'

const ACTION = 'voisol anchor-invoices'
/** During this time servers of the previous version may still issue unsigned documents. */
const UPGRADE_HOURS = 24

/** Trusted only when signed: `key` is the index of the signing key, 0 being the current one. */
export type SignedAnchor = Anchor & { key: number }

/** The anchors of a series signed by one of our keys, oldest first. */
export async function loadAnchors(
  db: Db,
  secrets: Pick<Secrets, 'stamps'>,
  { companyId, id }: Pick<InvoiceSequence, 'companyId' | 'id'>,
): Promise<SignedAnchor[]> {
  const rows = await db
    .select()
    .from(invoiceAnchors)
    .where(and(eq(invoiceAnchors.companyId, companyId), eq(invoiceAnchors.seriesId, id)))
    .orderBy(asc(invoiceAnchors.position), asc(invoiceAnchors.anchoredAt))
  return rows.map((row) => ({ ...row, key: findAnchorKey(secrets, row) })).filter(({ key }) => key >= 0)
}

/** The last position of a series issued before documents were signed. */
export const getLastUpgradePosition = (anchors: readonly SignedAnchor[]): number =>
  Math.max(0, ...anchors.filter(({ kind }) => kind === 'upgrade').map(({ position }) => position))

/** When unsigned documents were anchored; undefined when that was never done, or is not signed by one of our keys. */
export async function loadUpgradeInstant(db: Db, secrets: Pick<Secrets, 'stamps'>): Promise<Date | undefined> {
  const rows = await db
    .select()
    .from(invoiceAnchors)
    .where(and(eq(invoiceAnchors.companyId, NO_SITE_OWNER), eq(invoiceAnchors.kind, 'done')))
    .orderBy(asc(invoiceAnchors.anchoredAt))
  return rows.find((row) => findAnchorKey(secrets, row) >= 0)?.anchoredAt
}

/** Whether servers of the previous version may still have issued unsigned documents. */
export const isUpgrading = (since: Date, now = Date.now()) => now - since.getTime() < UPGRADE_HOURS * 3_600_000

async function addAnchor(tx: Db, secrets: Secrets, place: Omit<Anchor, 'anchoredAt' | 'kind'>, kind: AnchorKind) {
  const anchor = { ...place, kind, anchoredAt: new Date() }
  await tx.insert(invoiceAnchors).values({ ...anchor, signature: signAnchor(secrets, anchor) })
}

/** Locks a series so that no document is numbered while it is anchored. */
async function lockSequence(
  tx: Db,
  { companyId, id }: Pick<InvoiceSequence, 'companyId' | 'id'>,
): Promise<InvoiceSequence> {
  const [row] = await tx
    .select()
    .from(invoiceSeries)
    .where(and(eq(invoiceSeries.companyId, companyId), eq(invoiceSeries.id, id)))
    .for('update')
  if (!row) throw new Error(`series ${id} is gone`)
  return row
}

const loadLastDocument = async (
  db: Db,
  { companyId, id }: Pick<InvoiceSequence, 'companyId' | 'id'>,
  unsigned: boolean,
) => {
  const [row] = await db
    .select({ position: invoices.position, hash: invoices.hash, signature: invoices.signature })
    .from(invoices)
    .where(
      and(
        eq(invoices.companyId, companyId),
        eq(invoices.seriesId, id),
        unsigned ? isNull(invoices.signature) : undefined,
      ),
    )
    .orderBy(desc(invoices.position))
    .limit(1)
  return row
}

/** Signs the last unsigned document: its hash covers everything before it. */
async function anchorUpgrade(tx: Db, secrets: Secrets, sequence: InvoiceSequence): Promise<boolean> {
  await lockSequence(tx, sequence)
  const last = await loadLastDocument(tx, sequence, true)
  if (!last || last.position <= getLastUpgradePosition(await loadAnchors(tx, secrets, sequence))) return false
  const { position, hash } = last
  await addAnchor(tx, secrets, { companyId: sequence.companyId, seriesId: sequence.id, position, hash }, 'upgrade')
  return true
}

const loadInvoiceSequences = (db: Db): Promise<InvoiceSequence[]> =>
  db
    .select()
    .from(invoiceSeries)
    .where(gt(invoiceSeries.last, sql`${invoiceSeries.before}`))
    .orderBy(asc(invoiceSeries.companyId), asc(invoiceSeries.prefix), asc(invoiceSeries.year))

const hasUpgradeAnchor = async (db: Db) =>
  (await db.$count(auditEntries, and(eq(auditEntries.companyId, NO_SITE_OWNER), eq(auditEntries.action, ACTION)))) > 0

/** Records the upgrade in the audit chain: running it again would leave a second entry, or a gap. */
async function recordUpgrade(tx: Db, secrets: Secrets, count: number) {
  await addAnchor(tx, secrets, { companyId: NO_SITE_OWNER, seriesId: null, position: 0, hash: '' }, 'done')
  await appendAudit(tx, secrets, {
    companyId: NO_SITE_OWNER,
    userId: null,
    actor: 'Voisol',
    action: ACTION,
    label: 'Ancrer les factures émises avant les signatures',
    target: '',
    outcome: 'done',
    detail: { series: count },
    requestId: crypto.randomUUID(),
    ip: '',
  })
}

/**
 * Signs the state of each series on the day of the upgrade; resumes after an interruption. It runs once: a document
 * unsigned later was not issued by this server, even if the row with the upgrade date is deleted.
 */
export async function anchorUpgradedSequences({
  db,
  secrets,
  log,
}: Pick<Deps, 'db' | 'secrets' | 'log'>): Promise<void> {
  const since = await loadUpgradeInstant(db, secrets)
  if (since && !isUpgrading(since)) return
  if (!since && (await hasUpgradeAnchor(db))) {
    log.error('the day on which issued invoices were anchored is gone from the database, or its key is')
    return
  }
  let count = 0
  for (const sequence of await loadInvoiceSequences(db))
    if (await transaction(scopeToCompany(db, sequence.companyId), (tx) => anchorUpgrade(tx, secrets, sequence))) count++
  if (!since) await transaction(db, (tx) => recordUpgrade(tx, secrets, count))
}

type SequenceHead = { series: InvoiceSequence; signedBy: number }

/** Which key signed the end of each series: 0 for the current one, -1 for none of ours. */
export async function loadSequenceHeads(db: Db, secrets: Pick<Secrets, 'stamps'>): Promise<SequenceHead[]> {
  const heads: SequenceHead[] = []
  for (const sequence of await loadInvoiceSequences(db))
    heads.push({ series: sequence, signedBy: await findHeadKey(db, secrets, sequence) })
  return heads
}

async function findHeadKey(db: Db, secrets: Pick<Secrets, 'stamps'>, sequence: InvoiceSequence): Promise<number> {
  const { companyId, id: seriesId } = sequence
  const last = await loadLastDocument(db, sequence, false)
  if (!last || last.position !== sequence.last || last.hash !== sequence.lastHash) return -1
  const { position, hash, signature } = last
  const here = (await loadAnchors(db, secrets, sequence)).filter(
    (one) => one.position === position && one.hash === hash,
  )
  const own = signature === null ? -1 : findDocumentKey(secrets, { companyId, seriesId, position, hash }, signature)
  // A newer key only confirms what an earlier key signed, or what the upgrade anchored.
  const vouched = own >= 0 || here.some(({ kind }) => kind === 'rotation' || (kind === 'upgrade' && signature === null))
  return vouched ? Math.min(...here.map(({ key }) => key), own < 0 ? Number.POSITIVE_INFINITY : own) : -1
}

/** Signs the upgrade date again with the current key, so that it can be verified once the former key is deleted. */
async function resignUpgradeInstant(db: Db, secrets: Secrets): Promise<void> {
  const done = and(eq(invoiceAnchors.companyId, NO_SITE_OWNER), eq(invoiceAnchors.kind, 'done'))
  const keys = (await db.select().from(invoiceAnchors).where(done)).map((row) => findAnchorKey(secrets, row))
  const anchoredAt = await loadUpgradeInstant(db, secrets)
  if (!anchoredAt || keys.includes(0)) return
  const anchor = { companyId: NO_SITE_OWNER, seriesId: null, position: 0, hash: '', kind: 'done', anchoredAt }
  await transaction(db, (tx) => tx.insert(invoiceAnchors).values({ ...anchor, signature: signAnchor(secrets, anchor) }))
}

/**
 * Signs the end of every series with the new key: otherwise the owner of a former key could still forge documents up to
 * the first one of the new key. Returns the count, and the series that no key of ours had signed.
 */
export async function anchorRotatedSequences({ db, secrets }: Pick<Deps, 'db' | 'secrets'>) {
  const unsigned: string[] = []
  let count = 0
  for (const sequence of await loadInvoiceSequences(db)) {
    const signedBy = await transaction(scopeToCompany(db, sequence.companyId), async (tx) => {
      const now = await lockSequence(tx, sequence)
      const key = await findHeadKey(tx, secrets, now)
      const place = { companyId: now.companyId, seriesId: now.id, position: now.last, hash: now.lastHash }
      if (key > 0) await addAnchor(tx, secrets, place, 'rotation')
      return key
    })
    if (signedBy > 0) count++
    if (signedBy < 0) unsigned.push(`${sequence.prefix}${sequence.year} (organisation ${sequence.companyId})`)
  }
  await resignUpgradeInstant(db, secrets)
  return { count, unsigned }
}
