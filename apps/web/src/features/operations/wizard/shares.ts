import { parseNumber } from '../../../lib/format.ts'
import { type ConsumerRow, isBlank } from './draft.ts'

/** Shares are millionths; people write percents with at most four decimals. */
export const WHOLE = 1_000_000
export const shareOf = (text: string): number | null => {
  const percent = parseNumber(text.replace(/\s*%$/, ''))
  return percent === null || percent < 0 || percent > 100 ? null : Math.round(percent * 10_000)
}
/** Four decimals, where lib/format stops at three. */
const exactText = (share: number) => String(share / 10_000).replace('.', ',')

/** As equal as millionths allow, and exactly one whole: the first ones take what is left over. */
export function equalShares(count: number): string[] {
  const base = Math.floor(WHOLE / Math.max(1, count))
  const left = WHOLE - base * count
  return Array.from({ length: count }, (_, at) => exactText(base + (at < left ? 1 : 0)))
}

export const sumOfShares = (consumers: ConsumerRow[]) =>
  consumers.filter((row) => !isBlank(row)).reduce((sum, { share }) => sum + (shareOf(share) ?? 0), 0)

export const percentText = (share: number) => `${exactText(share)}\u00a0%`
export const rankOf = (text: string): number | null =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= 1000 ? Number(text) : null
