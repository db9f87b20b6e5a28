import { addDays } from '@voisol/energy/calendar'
import { date } from '../../lib/format.ts'

/** « du 02/05/2026 au 12/05/2026 »: the first day that is no longer meant is not told. */
export const daysWords = ({ from, to }: { from: string; to: string }) => `du ${date(from)} au ${date(addDays(to, -1))}`
