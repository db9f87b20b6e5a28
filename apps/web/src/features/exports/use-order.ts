import type { dataExports, NewExport } from '@voisol/contract/exports'
import { addDays, isDay } from '@voisol/energy/calendar'
import { useState } from 'react'
import type { z } from 'zod'
import { SHAPES } from './words.ts'

export type Sets = z.output<typeof dataExports.sets.response>
export type Choice = Sets['items'][number]
export type Draft = {
  dataSet: string
  from: string
  last: string
  operationId: string
  participantId: string
  shape: string
}

/** The month that has ended: what most people take away. */
function lastMonth(now = new Date()) {
  const first = `${now.toISOString().slice(0, 7)}-01`
  const last = addDays(first, -1)
  return { from: `${last.slice(0, 7)}-01`, last }
}

/** What is chosen, and what of it can be asked for: a set takes what it knows. */
export function useOrder(sets: Choice[]) {
  const [draft, setDraft] = useState<Draft>(() => ({
    dataSet: sets[0]?.id ?? '',
    operationId: '',
    participantId: '',
    shape: 'csv',
    ...lastMonth(),
  }))
  const change = (more: Partial<Draft>) => setDraft((old) => ({ ...old, ...more }))
  const set = sets.find(({ id }) => id === draft.dataSet) ?? sets[0]
  return { draft, change, set, order: set && orderOf(draft, set) }
}

/** Undefined where the days are not days yet, or not in their order. */
export function orderOf(draft: Draft, set: Choice): NewExport | undefined {
  const { format, dialect } = SHAPES[draft.shape] ?? { format: 'csv' as const, dialect: 'french' as const }
  const filters = {
    operationId: (set.operation && draft.operationId) || null,
    participantId: (set.participant && draft.participantId) || null,
  }
  const rest = { dataSet: set.id, format, dialect, ...filters }
  if (!set.period) return { ...rest, from: null, to: null }
  if (!isDay(draft.from) || !isDay(draft.last) || draft.last < draft.from) return undefined
  return { ...rest, from: draft.from, to: addDays(draft.last, 1) }
}
