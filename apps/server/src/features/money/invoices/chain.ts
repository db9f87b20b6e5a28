import { createHash } from 'node:crypto'
import { toCanonicalJson } from '../../../hash.ts'
import { isValidStamp, type Secrets } from '../../../secrets.ts'

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
