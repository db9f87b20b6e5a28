const PARIS = 'Europe/Paris'
export type KeepReason = 'day' | 'week' | 'month'
export type Retention = { days: number; weeks: number; months: number }

const toParisDate = (madeAt: string) => Temporal.Instant.from(madeAt).toZonedDateTimeISO(PARIS).toPlainDate()

/** The day, week (from Monday) and month that a copy is of, on the clock of Paris. */
const PERIODS: Record<KeepReason, (date: Temporal.PlainDate) => string> = {
  day: (date) => date.toString(),
  week: (date) => date.subtract({ days: date.dayOfWeek - 1 }).toString(),
  month: (date) => date.toPlainYearMonth().toString(),
}

/**
 * Why each copy is kept: the last one of each of the latest days, weeks and months that have any. Counted in copies and not
 * in time gone by, so that an installation that was off for a month does not lose what it has. The newest always stays.
 */
export function computeKeepReasons(
  copies: { name: string; madeAt: string }[],
  retention: Retention,
): Map<string, KeepReason[]> {
  const newest = [...copies].sort((a, b) => (a.madeAt < b.madeAt ? 1 : -1))
  const reasonsByName = new Map<string, KeepReason[]>(newest.map(({ name }) => [name, []]))
  const counts = { day: Math.max(1, retention.days), week: retention.weeks, month: retention.months }
  for (const reason of ['day', 'week', 'month'] as const) {
    const seen = new Set<string>()
    for (const { name, madeAt } of newest) {
      const period = PERIODS[reason](toParisDate(madeAt))
      if (seen.has(period) || seen.size >= counts[reason]) continue
      seen.add(period)
      reasonsByName.get(name)?.push(reason)
    }
  }
  return reasonsByName
}

type CopySummary = { name: string; madeAt: string; files?: { missing: string[] } }

/**
 * Names of the copies to delete: those that no retention rule keeps. The newest complete copy is never deleted, however many
 * incomplete ones were made after it.
 */
export function listCopiesToDelete(copies: CopySummary[], retention: Retention): string[] {
  const complete = copies.filter(({ files }) => !files?.missing.length)
  const newest = complete.reduce<CopySummary | undefined>((a, b) => (a && a.madeAt > b.madeAt ? a : b), undefined)
  return [...computeKeepReasons(copies, retention)]
    .filter(([name, reasons]) => reasons.length === 0 && name !== newest?.name)
    .map(([name]) => name)
}

/** What daily copies would leave in the long run, newest first; at most ten years of months are kept. */
export function simulateRetention(retention: Retention, today: string) {
  const span = Math.max(retention.days, retention.weeks * 7, retention.months * 31) + 31
  const from = Temporal.PlainDate.from(today)
  const daily = Array.from({ length: span }, (_, ago) => {
    const day = from.subtract({ days: ago }).toString()
    return { name: day, madeAt: `${day}T01:17:00Z` }
  })
  return [...computeKeepReasons(daily, retention)]
    .filter(([, reasons]) => reasons.length)
    .map(([day, reasons]) => ({ day, keptFor: reasons }))
}
