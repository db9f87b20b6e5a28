import type { RunBulkActionInput } from '@voisol/contract/bulk'
import type { z } from 'zod'
import { formatCount } from '../../../lib/format.ts'

export type BulkRequest = z.input<typeof RunBulkActionInput>
type ListFilters = Record<string, unknown>

const VIEW_PARAMS = ['page', 'size', 'sort']
/** The reader's filters without pages: all who match, whatever the page. */
export const toBulkFilter = (filters: ListFilters, operationId?: string): ListFilters => ({
  ...Object.fromEntries(
    Object.entries(filters).filter(([key, value]) => !VIEW_PARAMS.includes(key) && value !== undefined && value !== ''),
  ),
  ...(operationId && { operationId }),
})

/** Those who were ticked, or all who match the filters of the moment. */
export type ParticipantSelection = { ids: string[]; filter: ListFilters | null; count: number }

export const toBulkSelection = ({ ids, filter }: ParticipantSelection) =>
  (filter ? { filter } : { ids }) as BulkRequest['selection'] // the list's own query schema parsed the filters

export const describeSelection = ({ filter, count }: ParticipantSelection) =>
  filter
    ? `Les ${formatCount(count, 'participant qui correspond', 'participants qui correspondent')}`
    : formatCount(count, 'participant sélectionné', 'participants sélectionnés')
