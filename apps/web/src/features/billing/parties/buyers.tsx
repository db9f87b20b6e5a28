import { useQuery } from '@tanstack/react-query'
import type { Buyer } from '@voisol/contract/buyers'
import { parties } from '@voisol/contract/parties'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { BUYER_KIND_LABELS, DELIVERY_LABELS, toChoices } from '../../../components/buyer/buyer-facts.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import type { Column } from '../../../components/table.tsx'
import { formatCount } from '../../../lib/format.ts'
import { query, useList } from '../../../lib/queries.ts'

const BuyerDialog = lazy(() => import('../../../components/buyer/buyer-dialog.tsx'))
const GroupsDialog = lazy(() => import('./groups.tsx'))

function BuyerName({ buyer: { id, name, sheetName, jointHolders } }: { buyer: Buyer }) {
  const [search] = useSearchParams()
  const to = new URLSearchParams({ ...Object.fromEntries(search), buyer: id })
  const notes = [name === sheetName ? '' : sheetName, ...jointHolders.map((holder) => `avec ${holder}`)].filter(Boolean)
  return (
    <span className="block min-w-40">
      <Link to={{ search: to.toString() }} preventScrollReset className="font-medium text-link">
        {name}
      </Link>
      {notes.length > 0 && <span className="block text-[0.8125rem] text-ink-soft">{notes.join(', ')}</span>}
    </span>
  )
}

const columns: Column<Buyer>[] = [
  { header: 'Acheteur', sort: 'name', cell: (buyer) => <BuyerName buyer={buyer} /> },
  { header: 'Type', sort: 'kind', cell: ({ kind }) => BUYER_KIND_LABELS[kind], card: 'secondary' },
  { header: 'Adresse imprimée', cell: ({ printedAddress }) => printedAddress, card: 'secondary' },
  {
    header: 'Remise',
    cell: ({ delivery }) => <span className="whitespace-nowrap">{DELIVERY_LABELS[delivery]}</span>,
    card: 'none',
  },
  {
    header: 'Groupe',
    cell: ({ groupName }) => groupName || <span className="text-ink-muted">–</span>,
    card: 'none',
  },
  {
    header: 'État',
    cell: ({ issues }) =>
      issues.length ? (
        <Badge tone="danger">{formatCount(issues.length, 'point à régler', 'points à régler')}</Badge>
      ) : (
        <Badge tone="success">Complet</Badge>
      ),
  },
]

type BuyerFiltersProps = {
  filters: { kind?: string; groupId?: string; missing?: string }
  setFilters: (change: Record<string, unknown>) => void
}

function BuyerFilters({ filters, setFilters }: BuyerFiltersProps) {
  const { data } = useQuery(query(parties.groups, {}))
  const groups = data?.items ?? []
  const toFilterValue = (value: string) => value || undefined
  return (
    <>
      <Select
        aria-label="Type d’acheteur"
        className="max-w-[calc(50%-0.375rem)] sm:max-w-56"
        value={filters.kind ?? ''}
        onChange={(event) => setFilters({ kind: toFilterValue(event.target.value) })}
        options={[{ value: '', label: 'Tous les types' }, ...toChoices(BUYER_KIND_LABELS)]}
      />
      {groups.length > 0 && (
        <Select
          aria-label="Groupe"
          className="max-w-[calc(50%-0.375rem)] sm:max-w-48"
          value={filters.groupId ?? ''}
          onChange={(event) => setFilters({ groupId: toFilterValue(event.target.value) })}
          options={[
            { value: '', label: 'Tous les groupes' },
            ...groups.map(({ id, name, members }) => ({ value: id, label: `${name} (${members})` })),
          ]}
        />
      )}
      <FilterChips
        label="À compléter"
        options={[{ value: 'true', label: 'À compléter' }]}
        value={filters.missing}
        onChange={(missing) => setFilters({ missing })}
      />
    </>
  )
}

function GroupsButton() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Groupes d’acheteurs
      </Button>
      <Suspense fallback={null}>{open && <GroupsDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}

/** To whom invoices are made, and what is missing for one. */
export default function BuyersTab() {
  const list = useList(parties.buyers)
  const [search, setSearch] = useSearchParams()
  const open = search.get('buyer')
  const close = () =>
    setSearch(
      (old) => {
        old.delete('buyer')
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <>
      <ListScreen
        list={list}
        label="Acheteurs"
        columns={columns}
        search="Chercher un acheteur"
        filters={<BuyerFilters filters={list.filters} setFilters={list.setFilters} />}
        actions={<GroupsButton />}
        empty={
          <EmptyState
            title="Aucun acheteur"
            why="Ceux qui ont un point de consommation dans une opération apparaissent ici."
            action={
              <ButtonLink variant="secondary" to="/participants">
                Voir les participants
              </ButtonLink>
            }
          />
        }
      />
      <Suspense fallback={null}>{open && <BuyerDialog key={open} id={open} onClose={close} />}</Suspense>
    </>
  )
}
