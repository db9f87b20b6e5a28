import type { ParticipantLine } from '@voisol/contract/participants'
import { getUsualSegment } from '@voisol/contract/points'
import type { AllocationMethod } from '@voisol/contract/primitives'
import { parseNumber } from '../../../../lib/format.ts'

/** What a file said beyond what the rows show: kept, and sent with the row. */
type ImportedFields = Partial<ParticipantLine>

export type PlantRow = {
  kind: 'person' | 'organisation'
  name: string
  prm: string
  kwc: string
  azimuth: string
  tilt: string
  position: string
  segment: string
  rest: ImportedFields
}
export type ConsumerRow = {
  kind: 'person' | 'organisation'
  name: string
  prm: string
  email: string
  kva: string
  position: string
  segment: string
  /** A battery charges and releases at one meter: it comes in once, with both. */
  meter: 'home' | 'battery'
  /** Percent, as typed. */
  share: string
  rank: string
  rest: ImportedFields
}

/** Everything as typed: a figure half written is kept as it is. */
export type OperationWizardDraft = {
  name: string
  accNumber: string
  startsOn: string
  description: string
  pmoName: string
  pmoSiren: string
  address: string
  postalCode: string
  city: string
  position: string
  perimeter: 'building' | 'extended' | 'periurban' | 'rural' | 'epci'
  zone: 'metropole' | 'zni'
  capacity: string
  producers: PlantRow[]
  consumers: ConsumerRow[]
  method: AllocationMethod
  price: string
  vatMode: 'standard' | 'exempt' | 'outside' | 'elsewhere'
  surplusBuyer: string
}

export const createPlantRow = (): PlantRow => ({
  kind: 'organisation',
  name: '',
  prm: '',
  kwc: '',
  azimuth: '180',
  tilt: '30',
  position: '',
  segment: getUsualSegment('production'),
  rest: {},
})
export const createConsumerRow = (): ConsumerRow => ({
  kind: 'person',
  name: '',
  prm: '',
  email: '',
  kva: '',
  position: '',
  segment: getUsualSegment('consumption'),
  meter: 'home',
  share: '',
  rank: '',
  rest: {},
})

export const createOperationDraft = (): OperationWizardDraft => ({
  name: '',
  accNumber: '',
  startsOn: '',
  description: '',
  pmoName: '',
  pmoSiren: '',
  address: '',
  postalCode: '',
  city: '',
  position: '',
  perimeter: 'extended',
  zone: 'metropole',
  capacity: '',
  producers: [createPlantRow()],
  consumers: [createConsumerRow()],
  method: 'default',
  price: '',
  vatMode: 'standard',
  surplusBuyer: '',
})

/** A draft kept by an older version does not say: then it is none. */
export const isBatteryRow = ({ meter }: Partial<Pick<ConsumerRow, 'meter'>>) => meter === 'battery'

/** Somebody may add a row and leave it: it says nothing yet. */
export const isBlankRow = ({ name, prm }: { name: string; prm: string }) => name.trim() === '' && prm.trim() === ''

/** Shares are millionths; people write percents with at most four decimals. */
export const WHOLE_SHARE = 1_000_000
export const parseShare = (text: string): number | null => {
  const percent = parseNumber(text.replace(/\s*%$/, ''))
  return percent === null || percent < 0 || percent > 100 ? null : Math.round(percent * 10_000)
}
/** Four decimals, where lib/format stops at three. */
const formatExact = (share: number) => String(share / 10_000).replace('.', ',')

/** As equal as millionths allow, and exactly one whole: the first ones take what is left over. */
export function computeEqualShares(count: number): string[] {
  const base = Math.floor(WHOLE_SHARE / Math.max(1, count))
  const left = WHOLE_SHARE - base * count
  return Array.from({ length: count }, (_, at) => formatExact(base + (at < left ? 1 : 0)))
}

export const sumShares = (consumers: ConsumerRow[]) =>
  consumers.filter((row) => !isBlankRow(row)).reduce((sum, { share }) => sum + (parseShare(share) ?? 0), 0)

export const formatSharePercent = (share: number) => `${formatExact(share)}\u00a0%`
export const parseRank = (text: string): number | null =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 1000 ? Number(text) : null
