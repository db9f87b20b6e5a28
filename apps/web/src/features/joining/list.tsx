import { type Application, joiningDesk } from '@voisol/contract/joining-desk'
import { APPLICATION_KIND_LABELS, APPLICATION_STATE_LABELS } from '@voisol/contract/joining-words'
import { useSearchParams } from 'react-router'
import { formatPrm } from '../../lib/energy-labels.ts'
import { formatDate } from '../../lib/format.ts'
import { useList } from '../../lib/queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { FilterChips } from '../../ui/filter-chips.tsx'
import { ListScreen } from '../../ui/list-screen.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import type { Column } from '../../ui/table.tsx'
import { APPLICATION_STATE_TONES, applicationKindOptions, applicationStateOptions } from './labels.ts'
import { ApplicationDialog } from './sheet.tsx'

const OPEN_PARAM = 'demande'

const columns: Column<Application>[] = [
  { header: 'Reçue le', card: 'primary', sort: 'createdAt', cell: (one) => formatDate(one.createdAt) },
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
  { header: 'Nature', card: 'primary', cell: ({ kind }) => APPLICATION_KIND_LABELS[kind] },
  {
    header: 'Opération et point',
    card: 'secondary',
    sort: 'operation',
    cell: (one) => (
      <span className="block min-w-40">
        {one.operation}
        <span className="tabular block text-[0.8125rem] text-ink-soft">{formatPrm(one.prm)}</span>
      </span>
    ),
  },
  {
    header: 'Effet',
    card: 'primary',
    cell: ({ effectiveOn, wantedOn }) =>
      effectiveOn ? formatDate(effectiveOn) : wantedOn ? `${formatDate(wantedOn)}, demandé` : '–',
  },
  {
    header: 'État',
    card: 'primary',
    sort: 'state',
    cell: ({ state }) => <Badge tone={APPLICATION_STATE_TONES[state]}>{APPLICATION_STATE_LABELS[state]}</Badge>,
  },
]

/** Who asks to come in or to leave: what waits for a decision first. */
export default function ApplicationList() {
  const list = useList(joiningDesk.list)
  const [search, setSearch] = useSearchParams()
  const openId = search.get(OPEN_PARAM)
  const openApplication = (id: string | null) =>
    setSearch(
      (old) => {
        if (id) old.set(OPEN_PARAM, id)
        else old.delete(OPEN_PARAM)
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
              options={applicationKindOptions}
              value={list.filters.kind}
              onChange={(kind) => list.setFilters({ kind })}
            />
            <FilterChips
              label="État"
              options={applicationStateOptions}
              value={list.filters.state}
              onChange={(state) => list.setFilters({ state })}
            />
          </>
        }
        rowActions={({ id, name }) => (
          <Button
            variant="quiet"
            size="small"
            aria-label={`Ouvrir la demande de ${name}`}
            onClick={() => openApplication(id)}
          >
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
      {openId && <ApplicationDialog id={openId} onClose={() => openApplication(null)} />}
    </>
  )
}
