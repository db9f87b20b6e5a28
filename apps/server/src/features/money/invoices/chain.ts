import { createHash } from 'node:crypto'
import { toCanonicalJson } from '../../../hash.ts'
import { isValidStamp, type Secrets } from '../../../secrets.ts'

/** What comes before the first document of a series. */
export const NOTHING_BEFORE = ''

/** Names a document and all that stand before it in its series: a byte changed in any of them shows in every later one. */
export const computeDocumentHash = (previous: string, snapshot: unknown): string =>
  createHash('sha256')
    .update(`${previous}|${toCanonicalJson(snapshot)}`)
    .digest('hex')

/** A document's place in its series, and the hash that names it there. */
export type ChainPlace = { companyId: number; seriesId: string; position: number; hash: string }

const formatPlace = ({ companyId, seriesId, position, hash }: ChainPlace) =>
  `${companyId}|${seriesId}|${position}|${hash}`

/** Anybody can compute hashes anew: only the server, whose key the database does not hold, can sign one. */
export const signDocument = (secrets: Pick<Secrets, 'stamp'>, place: ChainPlace): string =>
  secrets.stamp('invoice', formatPlace(place))

/** Which key signed it: 0 for the current one, 1 for the one before; -1 where none did. */
export const findDocumentKey = (secrets: Pick<Secrets, 'stamps'>, place: ChainPlace, signature: string): number =>
  secrets.stamps('invoice', formatPlace(place)).findIndex((own) => isValidStamp([own], signature))

export type AnchorKind = 'upgrade' | 'rotation' | 'done'
export type Anchor = Omit<ChainPlace, 'seriesId'> & { seriesId: string | null; kind: string; anchoredAt: Date }

const formatAnchor = ({ seriesId, kind, anchoredAt, ...place }: Anchor) =>
  `${kind}|${anchoredAt.toISOString()}|${formatPlace({ ...place, seriesId: seriesId ?? '' })}`

export const signAnchor = (secrets: Pick<Secrets, 'stamp'>, anchor: Anchor): string =>
  secrets.stamp('invoice anchor', formatAnchor(anchor))

/** As for a document: 0 for the current key, -1 where no key of ours signed it. */
export const findAnchorKey = (
  secrets: Pick<Secrets, 'stamps'>,
  { signature, ...anchor }: Anchor & { signature: string },
) => secrets.stamps('invoice anchor', formatAnchor(anchor)).findIndex((own) => isValidStamp([own], signature))
