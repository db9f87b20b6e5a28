import { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { and, asc, eq, gt } from 'drizzle-orm'
import { type Db, readSnapshot } from '../../../db/client.ts'
import { invoiceSeries, invoices } from '../../../db/schema/index.ts'
import { toCanonicalJson } from '../../../hash.ts'
import type { Secrets } from '../../../secrets.ts'
import {
  computeDocumentHash,
  findDocumentKey,
  formatInvoiceNumber,
  type InvoiceSequence,
  NOTHING_BEFORE,
  toInvoiceColumns,
} from './invoice-sequence.ts'
import {
  getLastUpgradePosition,
  isUpgrading,
  loadAnchors,
  loadUpgradeInstant,
  type SignedAnchor,
} from './sequence-anchors.ts'

type SequenceFault = 'changed' | 'removed' | 'dated' | 'cut' | 'unsigned' | 'anchored'
export type SequenceVerdict = {
  companyId: number
  prefix: string
  year: number
  documents: number
  /** The first document of the series that differs from what was issued. */
  broken?: { number: string; fault: SequenceFault }
}
type Row = typeof invoices.$inferSelect

/** Lists read the columns and files the snapshot: both must be what was issued. */
function hasSameColumns(row: Row): boolean {
  const issued = InvoiceSnapshot.safeParse(row.snapshot)
  if (!issued.success) return false
  const { buyerId, clientSellerId, ...own } = row
  const columns = toInvoiceColumns(issued.data)
  const storedColumns = Object.fromEntries(Object.keys(columns).map((name) => [name, own[name as keyof typeof own]])) // its names
  return (
    toCanonicalJson(storedColumns) === toCanonicalJson(columns) &&
    (clientSellerId ? buyerId === null : buyerId === issued.data.buyer.id)
  )
}

const VERIFY_BATCH_SIZE = 500

async function* streamDocuments(db: Db, { companyId, id }: InvoiceSequence): AsyncGenerator<Row> {
  for (let position = 0; ; ) {
    const rows = await db
      .select()
      .from(invoices)
      .where(and(eq(invoices.companyId, companyId), eq(invoices.seriesId, id), gt(invoices.position, position)))
      .orderBy(asc(invoices.position))
      .limit(VERIFY_BATCH_SIZE)
    if (!rows.length) return
    yield* rows
    position = rows.at(-1)?.position ?? position
  }
}

function findChainFault(
  row: Row,
  sequence: InvoiceSequence,
  position: number,
  before: Row | undefined,
): SequenceFault | undefined {
  if (row.position !== position) return 'removed'
  const previous = before?.hash ?? NOTHING_BEFORE
  const linked = row.previousHash === previous && row.hash === computeDocumentHash(previous, row.snapshot)
  if (!linked || row.number !== formatInvoiceNumber(sequence, position) || !hasSameColumns(row)) return 'changed'
  return before && before.issuedOn > row.issuedOn ? 'dated' : undefined
}

type StampKeys = Pick<Secrets, 'stamps'>
/** What proves a series besides its hashes, and the position reached in it. */
type Signatures = {
  secrets: StampKeys
  anchors: SignedAnchor[]
  /** Up to this position an anchor covers unsigned documents. */
  upgraded: number
  /** Up to this position the current key confirmed the series: its hash covers documents whose key was deleted. */
  rotated: number
  oldest: number
}

/** The last position that the current key confirmed when keys were rotated; former keys may have been deleted since. */
const getLastRotationPosition = (anchors: readonly SignedAnchor[]): number =>
  Math.max(0, ...anchors.filter(({ kind, key }) => kind === 'rotation' && key === 0).map(({ position }) => position))

async function loadSignatures(
  db: Db,
  secrets: StampKeys,
  sequence: InvoiceSequence,
  upgrading: boolean,
): Promise<Signatures> {
  const anchors = await loadAnchors(db, secrets, sequence)
  const rotated = getLastRotationPosition(anchors)
  const upgraded = upgrading ? Number.POSITIVE_INFINITY : Math.max(getLastUpgradePosition(anchors), rotated)
  return { secrets, anchors, upgraded, rotated, oldest: Number.POSITIVE_INFINITY }
}

/** Hashes prove nothing against somebody who can rewrite them all: each document is signed, or covered by an anchor. */
function findSignatureFault(row: Row, signatures: Signatures): SequenceFault | undefined {
  const { secrets, anchors, upgraded, rotated } = signatures
  const here = anchors.filter(({ position }) => position === row.position)
  if (here.some(({ hash }) => hash !== row.hash)) return 'anchored'
  if (row.signature === null && row.position > upgraded) return 'unsigned'
  const keys = here.map(({ key }) => key)
  if (row.signature !== null) {
    // Keys only get newer along a series: a document signed with an older key than the one before it is a forgery.
    const key = findDocumentKey(secrets, row, row.signature)
    if (key > signatures.oldest || (key < 0 && row.position > rotated)) return 'unsigned'
    if (key >= 0) keys.push(key)
  }
  signatures.oldest = Math.min(signatures.oldest, ...keys)
  return undefined
}

async function verifySequence(db: Db, sequence: InvoiceSequence, signatures?: Signatures): Promise<SequenceVerdict> {
  const { companyId, prefix, year } = sequence
  const verdict = (documents: number, number?: string, fault?: SequenceFault): SequenceVerdict => ({
    companyId,
    prefix,
    year,
    documents,
    ...(number && fault ? { broken: { number, fault } } : {}),
  })
  let before: Row | undefined
  for await (const row of streamDocuments(db, sequence)) {
    const position = (before?.position ?? sequence.before) + 1
    const fault = findChainFault(row, sequence, position, before) ?? (signatures && findSignatureFault(row, signatures))
    if (fault) return verdict(position - 1 - sequence.before, formatInvoiceNumber(sequence, position), fault)
    before = row
  }
  const end = before?.position ?? sequence.before
  const count = end - sequence.before
  const known = Math.max(sequence.last, ...(signatures?.anchors ?? []).map(({ position }) => position))
  if (known > end) return verdict(count, formatInvoiceNumber(sequence, end + 1), 'cut')
  if (sequence.last < end || sequence.lastHash !== (before?.hash ?? NOTHING_BEFORE))
    return verdict(count, formatInvoiceNumber(sequence, Math.max(end, 1)), 'changed')
  return verdict(count)
}

/**
 * Verifies the chain of every series in one database snapshot. Without keys, or in a backup from before signatures,
 * only hashes are checked.
 */
export const verifyInvoiceSequences = (db: Db, secrets?: StampKeys): Promise<SequenceVerdict[]> =>
  readSnapshot(db, async (tx) => {
    const since = secrets && (await loadUpgradeInstant(tx, secrets))
    const upgrading = since !== undefined && isUpgrading(since)
    const all = await tx
      .select()
      .from(invoiceSeries)
      .orderBy(asc(invoiceSeries.companyId), asc(invoiceSeries.prefix), asc(invoiceSeries.year))
    const verdicts: SequenceVerdict[] = []
    for (const sequence of all)
      verdicts.push(
        await verifySequence(tx, sequence, secrets && (await loadSignatures(tx, secrets, sequence, upgrading))),
      )
    return verdicts
  })

export const SEQUENCE_FAULT_LABELS: Record<SequenceFault, string> = {
  changed: 'il n’est plus tel qu’il a été émis',
  removed: 'il a été supprimé',
  dated: 'il porte une date d’avant celle du précédent',
  cut: 'la fin de la série a été coupée à partir de là',
  unsigned: 'aucune clé de cette installation ne l’a signé',
  anchored: 'la série n’est plus celle qui avait été signée jusque-là',
}
