import type { KeyDetail, KeyShare } from '@voisol/contract/keys'
import type { Method } from '@voisol/contract/primitives'
import type { z } from 'zod'
import { number, parseNumber } from '../../../lib/format.ts'

/** Shares are millionths; people write percents with at most four decimals. */
export const WHOLE = 1_000_000
const PER_PERCENT = 10_000

export type Share = z.infer<typeof KeyShare>
/** What is typed, cell by cell: another method can be tried without losing what was written for the first. */
export type KeyForm = {
  method: Method
  label: string
  startsOn: string
  decimals: number
  cells: Readonly<Record<string, string>>
}

export const shareCell = (pointId: string, producerId: string | null = null) => `${producerId ?? 'pool'} ${pointId}`
export const rankCell = (pointId: string) => `rank ${pointId}`

export const needsShares = (method: Method) => method === 'static' || method === 'redistributed'
export const takesFiles = (method: Method) => method === 'simple' || method === 'complete'

/** Millionths of a typed percent; null where it is none, undefined where nothing is typed. */
export function readShare(text: string | undefined): number | null | undefined {
  const trimmed = (text ?? '').trim().replace(/\s*%$/, '')
  if (trimmed === '') return undefined
  const value = parseNumber(trimmed)
  return value === null || value < 0 || value > 100 ? null : Math.round(value * PER_PERCENT)
}

export function readRank(text: string | undefined): number | null | undefined {
  const trimmed = (text ?? '').trim()
  if (trimmed === '') return undefined
  return /^\d{1,4}$/.test(trimmed) && Number(trimmed) >= 1 && Number(trimmed) <= 1000 ? Number(trimmed) : null
}

/** « 12,5 »: what a share is typed as. */
export const shareText = (share: number) => String(share / PER_PERCENT).replace('.', ',')
export const percentText = (share: number) => `${number(Math.trunc(share / PER_PERCENT))}${decimalsOf(share)}\u00a0%`
const decimalsOf = (share: number) => {
  const rest = String(share % PER_PERCENT)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return rest ? `,${rest}` : ''
}

export function formOf(key: Pick<KeyDetail, 'method' | 'label' | 'startsOn' | 'decimals' | 'shares'>): KeyForm {
  const cells: Record<string, string> = {}
  for (const { pointId, producerId, share, rank } of key.shares) {
    if (share !== null) cells[shareCell(pointId, producerId)] = shareText(share)
    if (rank !== null) cells[rankCell(pointId)] = String(rank)
  }
  const { method, label, startsOn, decimals } = key
  return { method, label, startsOn, decimals, cells }
}

/** As equal as millionths allow, and exactly one whole: the first ones take what is left over. */
export function equalShares(count: number): number[] {
  const base = Math.floor(WHOLE / Math.max(1, count))
  const left = WHOLE - base * count
  return Array.from({ length: count }, (_, at) => base + (at < left ? 1 : 0))
}

/** What is typed so far; what cannot be read counts for nothing. */
export const sumOf = (cells: KeyForm['cells'], names: string[]) =>
  names.reduce((sum, name) => sum + (readShare(cells[name]) ?? 0), 0)

type Members = { consumers: { id: string }[]; producers: { id: string }[] }
type Read = { shares: Share[]; wrong: string[] }

const readAll = (
  names: { name: string; pointId: string; producerId: string | null }[],
  cells: KeyForm['cells'],
): Read => {
  const shares: Share[] = []
  const wrong: string[] = []
  for (const { name, pointId, producerId } of names) {
    const share = readShare(cells[name])
    if (share === null) wrong.push(name)
    else if (share !== undefined) shares.push({ pointId, producerId, share, rank: null })
  }
  return { shares, wrong }
}

/** The shares as the method reads them, and the cells that cannot be read. */
export function readForm({ method, cells }: KeyForm, { consumers, producers }: Members): Read {
  if (needsShares(method))
    return readAll(
      consumers.map(({ id }) => ({ name: shareCell(id), pointId: id, producerId: null })),
      cells,
    )
  if (method === 'complete')
    return readAll(
      producers.flatMap((producer) =>
        consumers.map(({ id }) => ({ name: shareCell(id, producer.id), pointId: id, producerId: producer.id })),
      ),
      cells,
    )
  if (method !== 'priority') return { shares: [], wrong: [] }
  const shares: Share[] = []
  const wrong: string[] = []
  for (const { id } of consumers) {
    const rank = readRank(cells[rankCell(id)])
    if (rank === null) wrong.push(rankCell(id))
    else if (rank !== undefined) shares.push({ pointId: id, producerId: null, share: null, rank })
  }
  return { shares, wrong }
}
