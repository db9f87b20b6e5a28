import type { BulkAsked } from '@voisol/contract/bulk'
import type { z } from 'zod'
import { plural } from '../../../lib/format.ts'

export type Asked = z.input<typeof BulkAsked>
type Filters = Record<string, unknown>

const VIEW = ['page', 'size', 'sort']
/** The reader's filters without pages: all who match, whatever the page. */
export const filterOf = (filters: Filters, operationId?: string): Filters => ({
  ...Object.fromEntries(
    Object.entries(filters).filter(([key, value]) => !VIEW.includes(key) && value !== undefined && value !== ''),
  ),
  ...(operationId && { operationId }),
})

/** Those who were ticked, or all who match the filters of the moment. */
export type Choice = { ids: string[]; filter: Filters | null; count: number }

export const selectionOf = ({ ids, filter }: Choice) => (filter ? { filter } : { ids }) as Asked['selection'] // the list's own query schema parsed the filters

export const wordsOf = ({ filter, count }: Choice) =>
  filter
    ? `Les ${plural(count, 'participant qui correspond', 'participants qui correspondent')}`
    : plural(count, 'participant sélectionné', 'participants sélectionnés')
