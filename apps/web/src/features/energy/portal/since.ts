import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { query } from '../../../lib/queries.ts'
import type { OwnSide } from './my-points.ts'

/** What may be asked for at once is ten years. */
const MAX_SUMMARY_DAYS = 3650

export type SinceEntryRange = { from: string; to: string }

/** From the day one came in until the last reading. */
export function getRangeSinceEntry(since: string | null, lastDay: string): SinceEntryRange {
  const to = addDays(lastDay, 1)
  const furthest = addDays(to, -MAX_SUMMARY_DAYS)
  const from = since === null || since < furthest ? furthest : since
  return { from: from < to ? from : lastDay, to }
}

export const useSummarySinceEntry = ({ where }: OwnSide, span: SinceEntryRange) =>
  useQuery(query(energy.summary, { query: { ...where, ...span } }))
