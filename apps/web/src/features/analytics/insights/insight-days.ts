import { addDays } from '@voisol/energy/calendar'
import { formatDate } from '../../../lib/format.ts'

/** « du 02/05/2026 au 12/05/2026 »: the first day that is no longer meant is not told. */
export const formatInsightDays = ({ from, to }: { from: string; to: string }) =>
  `du ${formatDate(from)} au ${formatDate(addDays(to, -1))}`
