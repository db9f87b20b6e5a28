import { requests, type SiteRequest } from '@voisol/contract/requests'
import { useState } from 'react'
import { dateTime } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ExportMenu, tableFormat } from '../../ui/export-menu.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import type { Column } from '../../ui/table.tsx'
import { KINDS, kindOptions, REQUEST_STATUSES, requestStatusOptions, SUBSCRIPTIONS, whoOf } from './labels.ts'
import { RequestSheet } from './sheet.tsx'

const columns: Column<SiteRequest>[] = [
  { header: 'Reçue le', card: 'primary', sort: 'createdAt', cell: (one) => dateTime(one.createdAt) },
  { header: 'Nature', card: 'primary', sort: 'kind', cell: (one) => KINDS[one.kind] },
  {
    header: 'Visiteur',
    card: 'title',
    sort: 'name',
    cell: (one) => (
      <span className="block min-w-40">
        <span className="block font-medium">{whoOf(one)}</span>
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
        {one.subject || SUBSCRIPTIONS[one.subscription] || '–'}
        {one.message && <span className="line-clamp-1 text-[0.8125rem] text-ink-soft">{one.message}</span>}
      </span>
    ),
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'status',
    cell: ({ status }) => <Badge tone={REQUEST_STATUSES[status].tone}>{REQUEST_STATUSES[status].label}</Badge>,
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
              options={kindOptions}
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
            input={(format) => ({ query: { ...list.filters, format: tableFormat(format) } })}
          />
        }
        rowActions={(one) => (
          <Button variant="quiet" size="small" aria-label={`Ouvrir ${whoOf(one)}`} onClick={() => setOpen(one)}>
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
      {current && <RequestSheet request={current} onClose={() => setOpen(null)} />}
    </>
  )
}
