import { type Application, joiningDesk } from '@voisol/contract/joining-desk'
import { APPLICATION_KINDS, APPLICATION_STATES } from '@voisol/contract/joining-words'
import { useSearchParams } from 'react-router'
import { prm } from '../../lib/energy-labels.ts'
import { date } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Column } from '../../ui/table.tsx'
import { kindOptions, stateOptions, TONES } from './labels.ts'
import { ApplicationSheet } from './sheet.tsx'

const OPEN = 'demande'

const columns: Column<Application>[] = [
  { header: 'Reçue le', card: 'primary', sort: 'createdAt', cell: (one) => date(one.createdAt) },
  {
    header: 'Qui',
    card: 'title',
    sort: 'name',
    cell: (one) => (
      <span className="block min-w-40">
        <span className="block font-medium">{one.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{one.email}</span>
      </span>
    ),
  },
  { header: 'Nature', card: 'primary', cell: ({ kind }) => APPLICATION_KINDS[kind] },
  {
    header: 'Opération et point',
    card: 'secondary',
    sort: 'operation',
    cell: (one) => (
      <span className="block min-w-40">
        {one.operation}
        <span className="tabular block text-[0.8125rem] text-ink-soft">{prm(one.prm)}</span>
      </span>
    ),
  },
  {
    header: 'Effet',
    card: 'primary',
    cell: ({ effectiveOn, wantedOn }) =>
      effectiveOn ? date(effectiveOn) : wantedOn ? `${date(wantedOn)}, demandé` : '–',
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={TONES[state]}>{APPLICATION_STATES[state]}</Badge>,
  },
]

/** Who asks to come in or to leave: what waits for a decision first. */
export default function ApplicationList() {
  const list = useList(joiningDesk.list)
  const [search, setSearch] = useSearchParams()
  const shown = search.get(OPEN)
  const show = (id: string | null) =>
    setSearch(
      (old) => {
        if (id) old.set(OPEN, id)
        else old.delete(OPEN)
        return old
      },
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeader
        title="Entrées et départs"
        description="Les demandes reçues par les pages «&nbsp;Rejoindre&nbsp;» et par l’espace des participants, signées par eux."
      />
      <ListScreen
        list={list}
        label="Demandes"
        search="Rechercher un nom, une adresse, un PRM"
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
              options={stateOptions}
              value={list.filters.state}
              onChange={(state) => list.setFilters({ state })}
            />
          </>
        }
        rowActions={({ id, name }) => (
          <Button variant="quiet" size="small" aria-label={`Ouvrir la demande de ${name}`} onClick={() => show(id)}>
            Ouvrir
          </Button>
        )}
        empty={
          <EmptyState
            title="Aucune demande"
            why="Ouvrez la page «&nbsp;Rejoindre&nbsp;» d’une opération, depuis ses participants&nbsp;: les demandes arrivent ici."
            action={
              <ButtonLink variant="secondary" to="/acc-operations">
                Voir les opérations
              </ButtonLink>
            }
          />
        }
      />
      {shown && <ApplicationSheet id={shown} onClose={() => show(null)} />}
    </>
  )
}
