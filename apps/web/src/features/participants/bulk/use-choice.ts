import { useState } from 'react'
import { type Choice, filterOf } from './selection.ts'

type List = { filters: Record<string, unknown>; total: number }

/** Who is chosen: those who were ticked, or all who match; another filter is another question. */
export function useChoice({ filters, total }: List, operationId?: string) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const [all, setAll] = useState<string | null>(null)
  const filter = filterOf(filters, operationId)
  const isAll = ids.size > 0 && all === JSON.stringify(filter)
  const choice: Choice = isAll ? { ids: [], filter, count: total } : { ids: [...ids], filter: null, count: ids.size }
  const change = (next: ReadonlySet<string>) => {
    setAll(null)
    setIds(next)
  }
  return { ids, setIds: change, isAll, choice, chooseAll: () => setAll(JSON.stringify(filter)) }
}
