import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { addDays } from '@voisol/energy/calendar'
import { query } from '../../../lib/queries.ts'
import type { Mine } from './my-points.ts'

/** What may be asked for at once is ten years. */
const MOST_DAYS = 3650

export type Span = { from: string; to: string }

/** From the day one came in until the last reading. */
export function spanOf(since: string | null, lastDay: string): Span {
  const to = addDays(lastDay, 1)
  const furthest = addDays(to, -MOST_DAYS)
  const from = since === null || since < furthest ? furthest : since
  return { from: from < to ? from : lastDay, to }
}

export const useSince = ({ where }: Mine, span: Span) =>
  useQuery(query(energy.summary, { query: { ...where, ...span } }))
