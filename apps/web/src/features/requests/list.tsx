import { requests, type SiteRequest } from '@voisol/contract/requests'
import { useState } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportMenu, toTableFormat } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import {
  getVisitorName,
  REQUEST_KIND_LABELS,
  REQUEST_STATUS_LABELS,
  REQUEST_SUBSCRIPTION_LABELS,
  requestKindOptions,
  requestStatusOptions,
} from './labels.ts'
import { SiteRequestDialog } from './sheet.tsx'

const columns: Column<SiteRequest>[] = [
  { header: 'Reçue le', card: 'primary', sort: 'createdAt', cell: (one) => formatDateTime(one.createdAt) },
  { header: 'Nature', card: 'primary', sort: 'kind', cell: (one) => REQUEST_KIND_LABELS[one.kind] },
  {
    header: 'Visiteur',
    card: 'title',
    sort: 'name',
    cell: (one) => (
      <span className="block min-w-40">
        <span className="block font-medium">{getVisitorName(one)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {[one.company, one.email].filter(Boolean).join(' · ')}
        </span>
      </span>
    ),
  },
  {
    header: 'Sujet',
    card: 'secondary',
    cell: (one) => (
      <span className="block min-w-40">
        {one.subject || REQUEST_SUBSCRIPTION_LABELS[one.subscription] || '–'}
        {one.message && <span className="line-clamp-1 text-[0.8125rem] text-ink-soft">{one.message}</span>}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => (
      <Badge tone={REQUEST_STATUS_LABELS[status].tone}>{REQUEST_STATUS_LABELS[status].label}</Badge>
    ),
  },
]

export function RequestList() {
  const list = useList(requests.list)
  const [open, setOpen] = useState<SiteRequest | null>(null)
  const current = list.items.find(({ id }) => id === open?.id) ?? open
  return (
    <>
      <ListScreen
        list={list}
        label="Demandes"
        search="Rechercher un nom, une adresse, un mot"
        columns={columns}
        filters={
          <>
            <FilterChips
              label="Nature"
              options={requestKindOptions}
              value={list.filters.kind}
              onChange={(kind) => list.setFilters({ kind })}
            />
            <FilterChips
              label="État"
              options={requestStatusOptions}
              value={list.filters.status}
              onChange={(status) => list.setFilters({ status })}
            />
          </>
        }
        exports={
          <ExportMenu
            endpoint={requests.export}
            input={(format) => ({ query: { ...list.filters, format: toTableFormat(format) } })}
          />
        }
        rowActions={(one) => (
          <Button
            variant="quiet"
            size="small"
            aria-label={`Ouvrir ${getVisitorName(one)}`}
            onClick={() => setOpen(one)}
          >
            Ouvrir
          </Button>
        )}
        empty={
          <EmptyState
            title="Aucune demande"
            why="Messages, abonnements à la lettre, livres blancs et inscriptions aux webinaires arrivent ici."
            because="comes-by-itself"
          />
        }
      />
      {current && <SiteRequestDialog request={current} onClose={() => setOpen(null)} />}
    </>
  )
}
