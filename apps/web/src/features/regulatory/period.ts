import { monthLabel } from '../../ui/period/label.ts'

/** « mai 2026 », « 2026 », or nothing. */
export const periodLabel = (period: string) => (period.length === 7 ? monthLabel(`${period}-01`) : period)
