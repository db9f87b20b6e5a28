import { useState } from 'react'
import { type ParticipantSelection, toBulkFilter } from './selection.ts'

type FilteredList = { filters: Record<string, unknown>; total: number }

/** Who is chosen: those who were ticked, or all who match; another filter is another question. */
export function useParticipantSelection({ filters, total }: FilteredList, operationId?: string) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState<string | null>(null)
  const filter = toBulkFilter(filters, operationId)
  const isAll = ids.size > 0 && all === JSON.stringify(filter)
  const choice: ParticipantSelection = isAll
    ? { ids: [], filter, count: total }
    : { ids: [...ids], filter: null, count: ids.size }
  const changeIds = (next: ReadonlySet<string>) => {
    setAll(null)
    setIds(next)
  }
  return { ids, setIds: changeIds, isAll, choice, chooseAll: () => setAll(JSON.stringify(filter)) }
}
