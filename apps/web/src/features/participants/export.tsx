import { type ParticipantQuery, participants } from '@voisol/contract/participants'
import type { z } from 'zod'
import { ExportMenu, toTableFormat } from '../../ui/export-menu.tsx'

type Filters = z.output<typeof ParticipantQuery>

/** Exactly the filtered people, of all pages. */
export const ParticipantExport = ({ filters, operationId }: { filters: Filters; operationId?: string }) => {
  const { review, ...rest } = filters
  return (
    <ExportMenu
      endpoint={participants.export}
      input={(format) => ({
        query: {
          ...rest,
          ...(operationId && { operationId }),
          ...(review !== undefined && { review: review ? ('true' as const) : ('false' as const) }),
          format: toTableFormat(format),
        },
      })}
    />
  )
}
