import type { KeyDetail, KeyShare } from '@voisol/contract/keys'
import type { AllocationMethod } from '@voisol/contract/primitives'
import type { z } from 'zod'
import { formatNumber, parseNumber } from '../../../../lib/format.ts'

/** Shares are millionths; people write percents with at most four decimals. */
export const WHOLE_SHARE = 1_000_000
const MILLIONTHS_PER_PERCENT = 10_000

export type Share = z.infer<typeof KeyShare>
/** What is typed, cell by cell: another method can be tried without losing what was written for the first. */
export type KeyForm = {
  method: AllocationMethod
  label: string
  startsOn: string
  decimals: number
  cells: Readonly<Record<string, string>>
}

export const getShareCellName = (pointId: string, producerId: string | null = null) =>
  `${producerId ?? 'pool'} ${pointId}`
export const getRankCellName = (pointId: string) => `rank ${pointId}`

export const needsShares = (method: AllocationMethod) => method === 'static' || method === 'redistributed'
export const takesFiles = (method: AllocationMethod) => method === 'simple' || method === 'complete'

/** Millionths of a typed percent; null where it is none, undefined where nothing is typed. */
export function parseShare(text: string | undefined): number | null | undefined {
  const trimmed = (text ?? '').trim().replace(/\s*%$/, '')
  if (trimmed === '') return undefined
  const value = parseNumber(trimmed)
  return value === null || value < 0 || value > 100 ? null : Math.round(value * MILLIONTHS_PER_PERCENT)
}

export function parseRank(text: string | undefined): number | null | undefined {
  const trimmed = (text ?? '').trim()
  if (trimmed === '') return undefined
  return /^\d{1,4}$/.test(trimmed) && Number(trimmed) >= 1 && Number(trimmed) <= 1000 ? Number(trimmed) : null
}

/** « 12,5 »: what a share is typed as. */
export const formatShareInput = (share: number) => String(share / MILLIONTHS_PER_PERCENT).replace('.', ',')
export const formatSharePercent = (share: number) =>
  `${formatNumber(Math.trunc(share / MILLIONTHS_PER_PERCENT))}${formatShareDecimals(share)}\u00a0%`
const formatShareDecimals = (share: number) => {
  const rest = String(share % MILLIONTHS_PER_PERCENT)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return rest ? `,${rest}` : ''
}

export function toKeyForm(key: Pick<KeyDetail, 'method' | 'label' | 'startsOn' | 'decimals' | 'shares'>): KeyForm {
  const cells: Record<string, string> = {}
  for (const { pointId, producerId, share, rank } of key.shares) {
    if (share !== null) cells[getShareCellName(pointId, producerId)] = formatShareInput(share)
    if (rank !== null) cells[getRankCellName(pointId)] = String(rank)
  }
  const { method, label, startsOn, decimals } = key
  return { method, label, startsOn, decimals, cells }
}

/** As equal as millionths allow, and exactly one whole: the first ones take what is left over. */
export function computeEqualShares(count: number): number[] {
  const base = Math.floor(WHOLE_SHARE / Math.max(1, count))
  const left = WHOLE_SHARE - base * count
  return Array.from({ length: count }, (_, at) => base + (at < left ? 1 : 0))
}

/** What is typed so far; what cannot be read counts for nothing. */
export const sumTypedShares = (cells: KeyForm['cells'], names: string[]) =>
  names.reduce((sum, name) => sum + (parseShare(cells[name]) ?? 0), 0)

type KeyMemberIds = { consumers: { id: string }[]; producers: { id: string }[] }
type ParsedShares = { shares: Share[]; wrong: string[] }

const parseShareCells = (
  names: { name: string; pointId: string; producerId: string | null }[],
  cells: KeyForm['cells'],
): ParsedShares => {
  const shares: Share[] = []
  const wrong: string[] = []
  for (const { name, pointId, producerId } of names) {
    const share = parseShare(cells[name])
    if (share === null) wrong.push(name)
    else if (share !== undefined) shares.push({ pointId, producerId, share, rank: null })
  }
  return { shares, wrong }
}

/** The shares as the method reads them, and the cells that cannot be read. */
export function parseKeyForm({ method, cells }: KeyForm, { consumers, producers }: KeyMemberIds): ParsedShares {
  if (needsShares(method))
    return parseShareCells(
      consumers.map(({ id }) => ({ name: getShareCellName(id), pointId: id, producerId: null })),
      cells,
    )
  if (method === 'complete')
    return parseShareCells(
      producers.flatMap((producer) =>
        consumers.map(({ id }) => ({ name: getShareCellName(id, producer.id), pointId: id, producerId: producer.id })),
      ),
      cells,
    )
  if (method !== 'priority') return { shares: [], wrong: [] }
  const shares: Share[] = []
  const wrong: string[] = []
  for (const { id } of consumers) {
    const rank = parseRank(cells[getRankCellName(id)])
    if (rank === null) wrong.push(getRankCellName(id))
    else if (rank !== undefined) shares.push({ pointId: id, producerId: null, share: null, rank })
  }
  return { shares, wrong }
}
