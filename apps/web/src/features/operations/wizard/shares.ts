import { parseNumber } from '../../../lib/format.ts'
import { type ConsumerRow, isBlankRow } from './draft.ts'

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
