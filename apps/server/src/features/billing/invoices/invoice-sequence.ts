import { createHash } from 'node:crypto'
import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { and, asc, eq, inArray } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { invoiceSeries } from '../../../db/schema/index.ts'
import { toCanonicalJson } from '../../../hash.ts'
import { AppError } from '../../../http/errors.ts'
import { isValidStamp, type Secrets } from '../../../secrets.ts'
import { loadSellers, type SellerRow } from '../parties/index.ts'

/** The previous hash of the first document of a series. */
export const NOTHING_BEFORE = ''

/** The hash of a document and of everything before it in its series: a changed byte changes every later hash. */
export const computeDocumentHash = (previous: string, snapshot: unknown): string =>
  createHash('sha256')
    .update(`${previous}|${toCanonicalJson(snapshot)}`)
    .digest('hex')

/** A document's position in its series, and its hash. */
export type ChainPlace = { companyId: number; seriesId: string; position: number; hash: string }

const formatPlace = ({ companyId, seriesId, position, hash }: ChainPlace) =>
  `${companyId}|${seriesId}|${position}|${hash}`

/** Anybody can recompute hashes, but only the server can sign: its key is not in the database. */
export const signDocument = (secrets: Pick<Secrets, 'stamp'>, place: ChainPlace): string =>
  secrets.stamp('invoice', formatPlace(place))

/** The index of the key that signed it: 0 for the current one, 1 for the one before, -1 for none. */
export const findDocumentKey = (secrets: Pick<Secrets, 'stamps'>, place: ChainPlace, signature: string): number =>
  secrets.stamps('invoice', formatPlace(place)).findIndex((own) => isValidStamp([own], signature))

export type AnchorKind = 'upgrade' | 'rotation' | 'done'
export type Anchor = Omit<ChainPlace, 'seriesId'> & { seriesId: string | null; kind: string; anchoredAt: Date }

const formatAnchor = ({ seriesId, kind, anchoredAt, ...place }: Anchor) =>
  `${kind}|${anchoredAt.toISOString()}|${formatPlace({ ...place, seriesId: seriesId ?? '' })}`

export const signAnchor = (secrets: Pick<Secrets, 'stamp'>, anchor: Anchor): string =>
  secrets.stamp('invoice anchor', formatAnchor(anchor))

/** The index of the signing key, as for a document: 0 for the current one, -1 for none of ours. */
export const findAnchorKey = (
  secrets: Pick<Secrets, 'stamps'>,
  { signature, ...anchor }: Anchor & { signature: string },
) => secrets.stamps('invoice anchor', formatAnchor(anchor)).findIndex((own) => isValidStamp([own], signature))

const sumLineEnergy = ({ lines }: InvoiceSnapshot): number =>
  lines.reduce((sum, line) => sum + (line.kind === 'energy' ? line.wh : 0), 0)

/** The columns that lists filter on, taken only from the snapshot: a column that differs was tampered with. */
export const toInvoiceColumns = (snapshot: InvoiceSnapshot) => ({
  operationId: snapshot.operation.id,
  sellerId: snapshot.seller.id,
  kind: snapshot.kind,
  apart: snapshot.apart,
  number: snapshot.number,
  issuedOn: snapshot.issuedOn,
  dueOn: snapshot.dueOn,
  from: snapshot.from,
  to: snapshot.to,
  wh: sumLineEnergy(snapshot),
  net: snapshot.totals.net,
  tax: snapshot.totals.tax,
  gross: snapshot.totals.gross,
  correctsId: snapshot.corrects?.id ?? null,
  reason: snapshot.corrects?.reason ?? '',
})

export type InvoiceSequenceKind = 'invoice' | 'statement'
type InvoiceSequenceRef = { sellerId: string; kind: InvoiceSequenceKind }
export type InvoiceSequence = typeof invoiceSeries.$inferSelect

export const getSequenceKey = ({ sellerId, kind }: { sellerId: string; kind: string }) => `${sellerId} ${kind}`

/** Statements, which owe nothing, have their own numbers. */
const getNumberPrefix = (prefix: string, kind: InvoiceSequenceKind) => (kind === 'statement' ? `${prefix}R` : prefix)
export const formatInvoiceNumber = ({ prefix, year }: Pick<InvoiceSequence, 'prefix' | 'year'>, position: number) =>
  `${prefix}${year}-${String(position).padStart(5, '0')}`

/** EN 16931 and its French rules: at most 35 of these characters. */
const NUMBER_PATTERN = /^[A-Z0-9\-_/+]{1,35}$/

function requireValidPrefix(prefix: string, year: number, seller: string) {
  if (prefix && NUMBER_PATTERN.test(formatInvoiceNumber({ prefix, year }, 9_999_999))) return
  const message = `Le préfixe «\u00a0${prefix}\u00a0» du vendeur ${seller} ne convient pas à un numéro de facture\u00a0: des majuscules, des chiffres et - _ / +, vingt au plus.`
  throw new AppError('conflict', { message })
}

async function addMissingSequences(
  tx: Db,
  companyId: number,
  names: InvoiceSequenceRef[],
  year: number,
  knownSellers?: readonly SellerRow[],
) {
  const sellers = new Map((knownSellers ?? (await loadSellers(tx, companyId))).map((seller) => [seller.id, seller]))
  const rows = names.map(({ sellerId, kind }) => {
    const seller = sellers.get(sellerId)
    if (!seller) throw new AppError('not-found')
    const prefix = getNumberPrefix(seller.prefix, kind)
    requireValidPrefix(prefix, year, seller.name)
    return { companyId, sellerId, kind, year, prefix }
  })
  await tx.insert(invoiceSeries).values(rows).onConflictDoNothing()
}

/** Sorts the series to lock, so that concurrent transactions cannot deadlock. */
const sortSequenceRefs = (names: InvoiceSequenceRef[]) =>
  [...new Map(names.map((name) => [getSequenceKey(name), name]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one)

/** Locks the series of a year by name until the transaction ends, and creates missing ones. */
export async function lockInvoiceSequences(
  tx: Db,
  companyId: number,
  requested: InvoiceSequenceRef[],
  year: number,
  knownSellers?: readonly SellerRow[],
) {
  const names = sortSequenceRefs(requested)
  await addMissingSequences(tx, companyId, names, year, knownSellers)
  const found = await tx
    .select()
    .from(invoiceSeries)
    .where(
      and(
        eq(invoiceSeries.companyId, companyId),
        eq(invoiceSeries.year, year),
        inArray(invoiceSeries.sellerId, [...new Set(names.map(({ sellerId }) => sellerId))]),
      ),
    )
    .orderBy(asc(invoiceSeries.sellerId), asc(invoiceSeries.kind))
    .for('update')
  const sequences = new Map(found.map((one) => [getSequenceKey(one), one]))
  const absent = names.find((name) => !sequences.has(getSequenceKey(name)))
  if (absent)
    throw new AppError('conflict', {
      message: `Deux vendeurs numéroteraient leurs documents de ${year} de la même façon\u00a0: changez le préfixe de l’un d’eux.`,
    })
  return sequences
}

/** Stores the last position of a series once its documents are numbered. */
export const saveSequencePosition = (tx: Db, { companyId, id, last, lastOn, lastHash }: InvoiceSequence) =>
  tx
    .update(invoiceSeries)
    .set({ last, lastOn, lastHash })
    .where(and(eq(invoiceSeries.companyId, companyId), eq(invoiceSeries.id, id)))
