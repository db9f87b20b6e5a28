import { useQuery } from '@tanstack/react-query'
import { participants } from '@voisol/contract/participants'
import { choices, PARTICIPANT_STATES, ROLES } from '../../lib/energy-labels.ts'
import { query } from '../../lib/queries.ts'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { Select } from '../../ui/select.tsx'
import { KINDS, PORTAL } from './labels.ts'

type Filtered = {
  filters: { role?: string; kind?: string; state?: string; portal?: string; review?: boolean; tag?: string }
  setFilters: (change: Record<string, unknown>) => void
}

type ChoiceProps = {
  label: string
  all: string
  options: { value: string; label: string }[]
  value: string | undefined
  onChange: (value: string) => void
}
const Choice = ({ label, all, options, value, onChange }: ChoiceProps) => (
  <Select
    aria-label={label}
    className="max-w-[calc(50%-0.375rem)] sm:max-w-44"
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value)}
    options={[{ value: '', label: all }, ...options]}
  />
)

export const ReviewFilter = ({ filters, setFilters }: Filtered) => (
  <FilterChips
    label="À vérifier"
    options={[{ value: 'true', label: 'À vérifier' }]}
    value={filters.review ? 'true' : undefined}
    onChange={(review) => setFilters({ review })}
  />
)

export const PortalFilter = ({ filters, setFilters }: Filtered) => (
  <Choice
    label="Portail"
    all="Tous les accès"
    options={choices(PORTAL).map(({ value, label }) => ({ value, label: `Portail\u00a0: ${label.toLowerCase()}` }))}
    value={filters.portal}
    onChange={(portal) => setFilters({ portal })}
  />
)

/** Only where the company uses tags. */
const TagFilter = ({ filters, setFilters }: Filtered) => {
  const { data } = useQuery(query(participants.tags, {}))
  const tags = data?.items ?? []
  if (tags.length === 0 && !filters.tag) return null
  return (
    <Choice
      label="Étiquette"
      all="Toute étiquette"
      options={tags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` }))}
      value={filters.tag}
      onChange={(tag) => setFilters({ tag })}
    />
  )
}

export const StateFilter = ({ filters, setFilters }: Filtered) => (
  <FilterChips
    label="État"
    options={choices(PARTICIPANT_STATES)}
    value={filters.state}
    onChange={(state) => setFilters({ state })}
  />
)

export const ParticipantFilters = (list: Filtered) => (
  <>
    <Choice
      label="Rôle"
      all="Tous les rôles"
      options={choices(ROLES)}
      value={list.filters.role}
      onChange={(role) => list.setFilters({ role })}
    />
    <Choice
      label="Type"
      all="Tous les types"
      options={choices(KINDS)}
      value={list.filters.kind}
      onChange={(kind) => list.setFilters({ kind })}
    />
    <PortalFilter {...list} />
    <TagFilter {...list} />
    <StateFilter {...list} />
    <ReviewFilter {...list} />
  </>
)
