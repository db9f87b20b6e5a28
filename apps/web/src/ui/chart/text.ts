import { date, dateTime, number, percent, time } from '../../lib/format.ts'
import { type ChartData, isBefore, MARK, type Series } from './types.ts'

const MISSING = 'donnée manquante'
export const BEFORE = 'avant votre entrée'

export const quantity = (value: number | null | undefined, unit: string) =>
  value === null || value === undefined ? MISSING : `${number(value, Math.abs(value) < 10 ? 2 : 1)}\u00a0${unit}`

const MARK_WORDS: Record<number, string> = {
  [MARK.corrected]: 'corrigé',
  [MARK.estimated]: 'estimé',
  [MARK.doubtful]: 'douteux',
}
/** A word for what was not read as such; nothing for a plain reading. */
export const markWord = (mark: number | undefined) => (mark === undefined ? undefined : MARK_WORDS[mark])

export const instantLabel = ({ timeLabel }: Pick<ChartData, 'timeLabel'>, seconds: number) =>
  timeLabel ? timeLabel(seconds) : dateTime(seconds * 1000)

/** The share of each figure in its whole, in words; undefined where it has none. */
export function shareTexts(series: Series[], figures: (number | null)[]) {
  const stack = series.flatMap((one, index) => (one.kind === 'stacked' ? [index] : []))
  return series.map((one, index) => {
    const whole = (one.share?.of ?? stack).reduce((sum, at) => sum + (figures[at] ?? 0), 0)
    const figure = figures[index] ?? null
    if (one.kind !== 'stacked' || figure === null || whole <= 0 || stack.length < 2) return undefined
    return percent(figure / whole, 0) + (one.share?.words ? ` ${one.share.words}` : '')
  })
}

/** Where a forecast is expected to fall: « 3,1 à 4,8 ». */
export function bandText({ band }: Pick<Series, 'band'>, index: number): string | undefined {
  const [low, high] = [band?.low[index] ?? null, band?.high[index] ?? null]
  const figure = (value: number) => number(value, Math.abs(value) < 10 ? 2 : 1)
  return low === null || high === null ? undefined : `${figure(low)} à ${figure(high)}`
}

/** Everything under the cursor, each stacked part with its share. */
export function valuesAt({ series, unit }: ChartData, index: number) {
  const figures = series.map((one) => one.values[index] ?? null)
  const shares = shareTexts(series, figures)
  return series.map((one, at) => {
    const value = figures[at] ?? null
    const mark = value === null ? undefined : markWord(one.marks?.[index])
    const text = isBefore(one, index) ? BEFORE : quantity(value, unit)
    return { ...one, text, share: shares[at] ?? bandText(one, index), mark }
  })
}

/** The cursor in one sentence, for a screen reader. */
export const sentenceAt = (data: ChartData, index: number) => {
  const instant = data.times[index]
  if (instant === undefined) return 'Aucune donnée'
  const parts = valuesAt(data, index).map(
    ({ label, text, share, mark }) => `${label}\u00a0: ${text}${share ? ` (${share})` : ''}${mark ? `, ${mark}` : ''}`,
  )
  return `${instantLabel(data, instant)}. ${parts.join(', ')}`
}

const dayMonth = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', day: 'numeric', month: 'short' })
const monthYear = new Intl.DateTimeFormat('fr-FR', { timeZone: 'Europe/Paris', month: 'short', year: '2-digit' })
const DAY = 86_400

/** Label of a tick, as coarse as the distance between ticks; midnight shows its day. */
export function tickLabel(seconds: number, step: number) {
  if (step >= 28 * DAY) return monthYear.format(seconds * 1000)
  const hour = time(seconds * 1000)
  return step >= DAY || hour === '00:00' ? dayMonth.format(seconds * 1000) : hour
}

export const spanText = (from: number, to: number) =>
  date(from * 1000) === date(to * 1000)
    ? `${date(from * 1000)}, ${time(from * 1000)} à ${time(to * 1000)}`
    : `${date(from * 1000)} au ${date(to * 1000)}`
