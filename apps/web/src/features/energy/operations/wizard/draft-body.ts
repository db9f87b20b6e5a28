import type { OperationDraft } from '@voisol/contract/operations'
import type { ParticipantLine } from '@voisol/contract/participants'
import { getUsualSegment, Segment } from '@voisol/contract/points'
import type { z } from 'zod'
import { parsePosition } from '../../../../lib/field-schemas.ts'
import { parseNumber } from '../../../../lib/format.ts'
import { parsePrice } from '../../../../lib/price.ts'
import {
  type ConsumerRow,
  isBatteryRow,
  isBlankRow,
  type OperationWizardDraft,
  type PlantRow,
  parseRank,
  parseShare,
} from './draft.ts'

type OperationDraftBody = z.input<typeof OperationDraft>
type DraftParticipant = NonNullable<OperationDraftBody['participants']>[number]
/** Where a line of the body was typed, so that what the server says of it finds its row again. */
export type RowSource = { list: 'producers' | 'consumers'; index: number }

const toPrmDigits = (prm: string) => prm.replace(/[\s.-]/g, '')
const parseThousands = (text: string) => {
  const value = parseNumber(text)
  return value === null ? null : Math.round(value * 1000)
}
const parseDegrees = (text: string) => {
  const value = parseNumber(text)
  return value === null ? null : Math.round(value)
}

export const getFullName = ({ name, firstName, lastName }: Partial<ParticipantLine>) =>
  name || `${firstName ?? ''} ${lastName ?? ''}`.trim()

/** A name left as the file gave it keeps its two parts; one that was changed is taken whole. */
function toIdentity({ kind, name, rest }: PlantRow | ConsumerRow) {
  const { name: _, storage: __, firstName, lastName, ...others } = rest
  const trimmedName = name.trim()
  const parts = trimmedName === getFullName(rest) ? { firstName, lastName } : {}
  return parts.firstName || parts.lastName ? { ...others, kind, ...parts } : { ...others, kind, name: trimmedName }
}

const toPosition = (position: string) => parsePosition(position) ?? { latitude: null, longitude: null }

/** A draft kept by an older version says none: then it is the usual one. */
const getSegment = (text: string | undefined, direction: 'consumption' | 'production') =>
  Segment.safeParse(text).data ?? getUsualSegment(direction)

const toPlantLine = (row: PlantRow): DraftParticipant => ({
  ...toIdentity(row),
  prm: toPrmDigits(row.prm),
  direction: 'production',
  peakWatts: parseThousands(row.kwc),
  azimuth: parseDegrees(row.azimuth),
  tilt: parseDegrees(row.tilt),
  segment: getSegment(row.segment, 'production'),
  ...toPosition(row.position),
})

const toConsumerLine = (row: ConsumerRow): DraftParticipant => ({
  ...toIdentity(row),
  prm: toPrmDigits(row.prm),
  direction: 'consumption',
  ...(isBatteryRow(row) && { storage: true }),
  email: row.email.trim(),
  subscribedVa: parseThousands(row.kva),
  segment: getSegment(row.segment, 'consumption'),
  ...toPosition(row.position),
})

const withSources = <R extends { name: string; prm: string }>(list: RowSource['list'], rows: R[]) =>
  rows.flatMap((row, index) => (isBlankRow(row) ? [] : [{ row, source: { list, index } }]))

const needsShares = (method: OperationWizardDraft['method']) => method === 'static' || method === 'redistributed'

function buildKey(draft: OperationWizardDraft, consumers: { row: ConsumerRow }[]): OperationDraftBody['key'] {
  const { method } = draft
  if (consumers.length === 0) return method === 'default' || method === 'equal' ? { method, shares: [] } : null
  const shares = consumers.map(({ row }) => ({
    prm: toPrmDigits(row.prm),
    ...(needsShares(method) && { share: parseShare(row.share) ?? 0 }),
    ...(method === 'priority' && { rank: parseRank(row.rank) ?? 1 }),
  }))
  return { method, shares: needsShares(method) || method === 'priority' ? shares : [] }
}

/** What is sent, and where each of its lines came from. */
export function buildOperationBody(draft: OperationWizardDraft, status: 'draft' | 'pending') {
  const plants = withSources('producers', draft.producers)
  const consumers = withSources('consumers', draft.consumers)
  const { name, description, pmoName, pmoSiren, address, postalCode, city, perimeter, zone } = draft
  const body: OperationDraftBody = {
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
    ...toPosition(draft.position),
    participants: [...plants.map(({ row }) => toPlantLine(row)), ...consumers.map(({ row }) => toConsumerLine(row))],
    key: buildKey(draft, consumers),
    unitPrice: parsePrice(draft.price),
    vatMode: draft.vatMode,
    surplusBuyer: draft.surplusBuyer,
  }
  const sources: RowSource[] = [...plants, ...consumers].map(({ source }) => source)
  return { body, sources, shareSources: consumers.map(({ source }) => source) }
}
