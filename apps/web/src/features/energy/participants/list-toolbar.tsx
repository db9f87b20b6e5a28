import { useQuery } from '@tanstack/react-query'
import { type ParticipantQuery, participants } from '@voisol/contract/participants'
import type { z } from 'zod'
import { ExportMenu, toTableFormat } from '../../../components/export-menu.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { PARTICIPANT_ROLE_LABELS, PARTICIPANT_STATE_LABELS, toChoices } from '../../../lib/energy-labels.ts'
import { query } from '../../../lib/queries.ts'
import { PARTICIPANT_KIND_LABELS, PORTAL_STATUS_LABELS } from './labels.ts'

type ParticipantFiltersProps = {
  filters: { role?: string; kind?: string; state?: string; portal?: string; review?: boolean; tag?: string }
  setFilters: (change: Record<string, unknown>) => void
}

type FilterSelectProps = {
  label: string
  all: string
  options: { value: string; label: string }[]
  value: string | undefined
  onChange: (value: string) => void
}
const FilterSelect = ({ label, all, options, value, onChange }: FilterSelectProps) => (
  <Select
    aria-label={label}
    className="max-w-[calc(50%-0.375rem)] sm:max-w-44"
    value={value ?? ''}
    onChange={(event) => onChange(event.target.value)}
    options={[{ value: '', label: all }, ...options]}
  />
)

export const ReviewFilter = ({ filters, setFilters }: ParticipantFiltersProps) => (
  <FilterChips
    label="À vérifier"
    options={[{ value: 'true', label: 'À vérifier' }]}
    value={filters.review ? 'true' : undefined}
    onChange={(review) => setFilters({ review })}
  />
)

export const PortalFilter = ({ filters, setFilters }: ParticipantFiltersProps) => (
  <FilterSelect
    label="Portail"
    all="Tous les accès"
    options={toChoices(PORTAL_STATUS_LABELS).map(({ value, label }) => ({
      value,
      label: `Portail\u00a0: ${label.toLowerCase()}`,
    }))}
    value={filters.portal}
    onChange={(portal) => setFilters({ portal })}
  />
)

/** Only where the company uses tags. */
const TagFilter = ({ filters, setFilters }: ParticipantFiltersProps) => {
  const { data } = useQuery(query(participants.tags, {}))
  const tags = data?.items ?? []
  if (tags.length === 0 && !filters.tag) return null
  return (
    <FilterSelect
      label="Étiquette"
      all="Toute étiquette"
      options={tags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` }))}
      value={filters.tag}
      onChange={(tag) => setFilters({ tag })}
    />
  )
}

export const StateFilter = ({ filters, setFilters }: ParticipantFiltersProps) => (
  <FilterChips
    label="État"
    options={toChoices(PARTICIPANT_STATE_LABELS)}
    value={filters.state}
    onChange={(state) => setFilters({ state })}
  />
)

export const ParticipantFilters = (list: ParticipantFiltersProps) => (
  <>
    <FilterSelect
      label="Rôle"
      all="Tous les rôles"
      options={toChoices(PARTICIPANT_ROLE_LABELS)}
      value={list.filters.role}
      onChange={(role) => list.setFilters({ role })}
    />
    <FilterSelect
      label="Type"
      all="Tous les types"
      options={toChoices(PARTICIPANT_KIND_LABELS)}
      value={list.filters.kind}
      onChange={(kind) => list.setFilters({ kind })}
    />
    <PortalFilter {...list} />
    <TagFilter {...list} />
    <StateFilter {...list} />
    <ReviewFilter {...list} />
  </>
)

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
