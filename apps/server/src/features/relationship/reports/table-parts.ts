import type { FilledTable } from '@voisol/contract/report-content'

export type Filled = Pick<FilledTable, 'columns' | 'rows' | 'total' | 'lead'>
type Column = FilledTable['columns'][number]

export const words = (head: string, part: number): Column => ({ head, part, align: 'start' })
export const figure = (head: string, part: number): Column => ({ head, part, align: 'end' })
/** A table without a row says why. */
export const nothing = (lead: string): Filled => ({ columns: [], rows: [], total: false, lead })
