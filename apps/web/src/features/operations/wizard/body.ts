import type { OperationDraft } from '@voisol/contract/operations'
import type { ParticipantLine } from '@voisol/contract/participants'
import { Segment, usualSegment } from '@voisol/contract/points'
import type { z } from 'zod'
import { parseNumber } from '../../../lib/format.ts'
import { parsePosition } from '../../../lib/position.ts'
import { parsePrice } from '../../../lib/price.ts'
import { type ConsumerRow, type Draft, isBattery, isBlank, type PlantRow } from './draft.ts'
import { rankOf, shareOf } from './shares.ts'

export type Body = z.input<typeof OperationDraft>
type Line = NonNullable<Body['participants']>[number]
/** Where a line of the body was typed, so that what the server says of it finds its row again. */
export type Source = { list: 'producers' | 'consumers'; index: number }

const digits = (prm: string) => prm.replace(/[\s.-]/g, '')
const thousands = (text: string) => {
  const value = parseNumber(text)
  return value === null ? null : Math.round(value * 1000)
}
const degrees = (text: string) => {
  const value = parseNumber(text)
  return value === null ? null : Math.round(value)
}

export const fullName = ({ name, firstName, lastName }: Partial<ParticipantLine>) =>
  name || `${firstName ?? ''} ${lastName ?? ''}`.trim()

/** A name left as the file gave it keeps its two parts; one that was changed is taken whole. */
function identity({ kind, name, rest }: PlantRow | ConsumerRow) {
  const { name: _, storage: __, firstName, lastName, ...others } = rest
  const written = name.trim()
  const parts = written === fullName(rest) ? { firstName, lastName } : {}
  return parts.firstName || parts.lastName ? { ...others, kind, ...parts } : { ...others, kind, name: written }
}

const place = (position: string) => parsePosition(position) ?? { latitude: null, longitude: null }

/** A draft kept by an older version says none: then it is the usual one. */
const segmentOf = (text: string | undefined, direction: 'consumption' | 'production') =>
  Segment.safeParse(text).data ?? usualSegment(direction)

export const plantLine = (row: PlantRow): Line => ({
  ...identity(row),
  prm: digits(row.prm),
  direction: 'production',
  peakWatts: thousands(row.kwc),
  azimuth: degrees(row.azimuth),
  tilt: degrees(row.tilt),
  segment: segmentOf(row.segment, 'production'),
  ...place(row.position),
})

export const consumerLine = (row: ConsumerRow): Line => ({
  ...identity(row),
  prm: digits(row.prm),
  direction: 'consumption',
  ...(isBattery(row) && { storage: true }),
  email: row.email.trim(),
  subscribedVa: thousands(row.kva),
  segment: segmentOf(row.segment, 'consumption'),
  ...place(row.position),
})

const sourced = <R extends { name: string; prm: string }>(list: Source['list'], rows: R[]) =>
  rows.flatMap((row, index) => (isBlank(row) ? [] : [{ row, source: { list, index } }]))

const needsShares = (method: Draft['method']) => method === 'static' || method === 'redistributed'

function keyOf(draft: Draft, consumers: { row: ConsumerRow }[]): Body['key'] {
  const { method } = draft
  if (consumers.length === 0) return method === 'default' || method === 'equal' ? { method, shares: [] } : null
  const shares = consumers.map(({ row }) => ({
    prm: digits(row.prm),
    ...(needsShares(method) && { share: shareOf(row.share) ?? 0 }),
    ...(method === 'priority' && { rank: rankOf(row.rank) ?? 1 }),
  }))
  return { method, shares: needsShares(method) || method === 'priority' ? shares : [] }
}

/** What is sent, and where each of its lines came from. */
export function bodyOf(draft: Draft, status: 'draft' | 'pending') {
  const plants = sourced('producers', draft.producers)
  const consumers = sourced('consumers', draft.consumers)
  const { name, description, pmoName, pmoSiren, address, postalCode, city, perimeter, zone } = draft
  const body: Body = {
    name,
    description,
    pmoName,
    pmoSiren,
    address,
    postalCode,
    city,
    perimeter,
    zone,
    status,
    accNumber: draft.accNumber.trim() || null,
    startsOn: draft.startsOn || null,
    capacity: parseNumber(draft.capacity) ?? 0,
    ...place(draft.position),
    participants: [...plants.map(({ row }) => plantLine(row)), ...consumers.map(({ row }) => consumerLine(row))],
    key: keyOf(draft, consumers),
    unitPrice: parsePrice(draft.price),
    vatMode: draft.vatMode,
    surplusBuyer: draft.surplusBuyer,
  }
  const sources: Source[] = [...plants, ...consumers].map(({ source }) => source)
  return { body, sources, shareSources: consumers.map(({ source }) => source) }
}
