import type { dataExports, NewExport } from '@voisol/contract/exports'
import { addDays, isDay } from '@voisol/energy/calendar'
import { useState } from 'react'
import type { z } from 'zod'
import { EXPORT_SHAPES } from './words.ts'

export type ExportDataSets = z.output<typeof dataExports.sets.response>
export type ExportDataSet = ExportDataSets['items'][number]
export type ExportDraft = {
  dataSet: string
  from: string
  last: string
  operationId: string
  participantId: string
  shape: string
}

/** The month that has ended: what most people take away. */
function getLastMonth(now = new Date()) {
  const first = `${now.toISOString().slice(0, 7)}-01`
  const last = addDays(first, -1)
  return { from: `${last.slice(0, 7)}-01`, last }
}

/** What is chosen, and what of it can be asked for: a set takes what it knows. */
export function useExportDraft(sets: ExportDataSet[]) {
  const [draft, setDraft] = useState<ExportDraft>(() => ({
    dataSet: sets[0]?.id ?? '',
    operationId: '',
    participantId: '',
    shape: 'csv',
    ...getLastMonth(),
  }))
  const change = (more: Partial<ExportDraft>) => setDraft((old) => ({ ...old, ...more }))
  const set = sets.find(({ id }) => id === draft.dataSet) ?? sets[0]
  return { draft, change, set, order: set && toNewExport(draft, set) }
}

/** Undefined where the days are not days yet, or not in their order. */
export function toNewExport(draft: ExportDraft, set: ExportDataSet): NewExport | undefined {
  const { format, dialect } = EXPORT_SHAPES[draft.shape] ?? { format: 'csv' as const, dialect: 'french' as const }
  const filters = {
    operationId: (set.operation && draft.operationId) || null,
    participantId: (set.participant && draft.participantId) || null,
  }
  const rest = { dataSet: set.id, format, dialect, ...filters }
  if (!set.period) return { ...rest, from: null, to: null }
  if (!isDay(draft.from) || !isDay(draft.last) || draft.last < draft.from) return undefined
  return { ...rest, from: draft.from, to: addDays(draft.last, 1) }
}
