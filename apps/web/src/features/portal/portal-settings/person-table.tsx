import { useQuery } from '@tanstack/react-query'
import { operations } from '@voisol/contract/operations'
import type { PortalPerson } from '@voisol/contract/portal-management'
import { Badge } from '../../../components/badge.tsx'
import { Select } from '../../../components/input.tsx'
import type { Column } from '../../../components/table.tsx'
import { useCan } from '../../../lib/can.tsx'
import { formatDateTime } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { INVITATION_STATE_LABELS } from './labels.ts'

export const NAME_COLUMN: Column<PortalPerson> = {
  header: 'Participant',
  card: 'title',
  sort: 'name',
  cell: ({ name, email }) => (
    <span className="block min-w-48">
      <span className="block font-medium">{name}</span>
      <span className="block text-[0.8125rem] text-ink-soft">{email || 'Sans adresse e-mail'}</span>
    </span>
  ),
}
export const OPERATIONS_COLUMN: Column<PortalPerson> = {
  header: 'Opération',
  card: 'primary',
  cell: ({ operations }) => <span className="block min-w-28">{operations.join(', ') || 'Aucune'}</span>,
}
export const INVITATION_STATE_COLUMN: Column<PortalPerson> = {
  header: 'Invitation',
  card: 'primary',
  sort: 'state',
  cell: ({ state }) => <Badge tone={INVITATION_STATE_LABELS[state].tone}>{INVITATION_STATE_LABELS[state].label}</Badge>,
}

export const LAST_VISIT_COLUMN: Column<PortalPerson> = {
  header: 'Dernière visite du portail',
  card: 'primary',
  sort: 'lastVisitAt',
  cell: ({ lastVisitAt }) => (lastVisitAt ? formatDateTime(lastVisitAt) : 'Jamais'),
}

type Props = { value: string | undefined; onChange: (id: string) => void }

/** Nothing to choose from where there is one operation, or where they may not be read. */
export function PortalOperationFilter({ value, onChange }: Props) {
  const enabled = useCan()(operations.list)
  const { data } = useQuery({ ...query(operations.list, { query: { size: 100, sort: 'name' } }), enabled })
  if (!data || data.items.length < 2) return null
  return (
    <Select
      aria-label="Opération"
      className="sm:w-64"
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
      options={[
        { value: '', label: 'Toutes les opérations' },
        ...data.items.map(({ id, name }) => ({ value: id, label: name })),
      ]}
    />
  )
}
