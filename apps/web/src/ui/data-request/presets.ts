import type { SyncKind } from '@voisol/contract/sync'
import { addDays, addMonths, monthOf } from '@voisol/energy/calendar'

/** `last` is a day that is meant: people name the last day. */
export type PeriodPreset = { label: string; from: string; last: string }

/** The distributor keeps 24 months and 15 days: a month it no longer has in full is left out. */
const getOldestDay = (today: string) => addDays(addMonths(today, -24), -15)

const buildMonthsPreset = (today: string, label: string, count: number): PeriodPreset => {
  const from = addMonths(monthOf(today), -count)
  return {
    label,
    from: from < getOldestDay(today) ? addMonths(from, 1) : from,
    last: addDays(monthOf(today), -1),
  }
}

/** What the distributor gives by the month is asked for by whole months that are over. */
export const buildPeriodPresets = (kind: SyncKind, today: string): PeriodPreset[] => {
  const last = addDays(today, -1)
  return kind === 'definitive' || kind === 'agreement-series'
    ? [
        buildMonthsPreset(today, 'Mois dernier', 1),
        buildMonthsPreset(today, '12 mois', 12),
        buildMonthsPreset(today, '24 mois', 24),
      ]
    : [
        { label: '7 derniers jours', from: addDays(today, -7), last },
        { label: '30 derniers jours', from: addDays(today, -30), last },
        { label: '12 mois', from: addMonths(today, -12), last },
        { label: '24 mois', from: addMonths(today, -24), last },
      ]
}
