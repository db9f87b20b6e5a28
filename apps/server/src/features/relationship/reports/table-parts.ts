import type { FilledTable } from '@voisol/contract/report-content'

export type ReportTableContent = Pick<FilledTable, 'columns' | 'rows' | 'total' | 'lead'>
type Column = FilledTable['columns'][number]

export const buildTextColumn = (head: string, part: number): Column => ({ head, part, align: 'start' })
export const buildNumberColumn = (head: string, part: number): Column => ({ head, part, align: 'end' })
/** An empty table with a sentence that says why. */
export const buildEmptyTable = (lead: string): ReportTableContent => ({ columns: [], rows: [], total: false, lead })
