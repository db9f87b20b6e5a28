import { formatMonthYear } from '../../ui/period/label.ts'

/** « mai 2026 », « 2026 », or nothing. */
export const formatMonthOrYear = (period: string) => (period.length === 7 ? formatMonthYear(`${period}-01`) : period)
