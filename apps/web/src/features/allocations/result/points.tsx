import { energy as api } from '@voisol/contract/energy'
import type { MemberRow } from '@voisol/contract/energy-rows'
import { addMonths } from '@voisol/energy/calendar'
import { useState } from 'react'
import type { z } from 'zod'
import { choices, DIRECTIONS, prm } from '../../../lib/energy-labels.ts'
import { energy, energyLike, money } from '../../../lib/format.ts'
import { useList } from '../../../lib/queries.ts'
import { ButtonLink } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Segments } from '../../../ui/energy-explorer/controls.tsx'
import { ExportMenu, tableFormat } from '../../../ui/export-menu.tsx'
import { FilterChips } from '../../../ui/filter-chips.tsx'
import { Link } from '../../../ui/link.tsx'
import { ListScreen } from '../../../ui/list-screen.tsx'
import type { Period } from '../../../ui/period/period.ts'
import { SideMark } from '../../../ui/side-mark.tsx'
import { batteryParts, consumptionParts, productionParts } from '../../../ui/stack/parts.ts'
import { ShareBar } from '../../../ui/stack/share-bar.tsx'
import type { Column } from '../../../ui/table.tsx'
import { ClassLegend, rate, type TimeClass } from '../words.tsx'
import { type Split, useClasses } from './classes.ts'

export type Row = z.infer<typeof MemberRow>

export const partsOf = ({
  direction,
  total,
  local,
  pending,
  storage,
}: Pick<Row, 'direction' | 'total' | 'local' | 'pending' | 'storage'>) => {
  const rest = Math.max(0, total - local - pending)
  if (storage) return batteryParts(direction, { local, rest, pending })
  return direction === 'production'
    ? productionParts({ shared: local, surplus: rest, pendingProduced: pending })
    : consumptionParts({ allocated: local, complement: rest, pendingConsumed: pending })
}

export const nameColumn: Column<Row> = {
  header: 'Point',
  card: 'title',
  sort: 'name',
  cell: ({ name, prm: digits, direction, storage }) => (
    <span className="block min-w-44 py-1">
      <span className="block font-medium">{name}</span>
      <span className="tabular block text-[0.8125rem] text-ink-soft">
        <SideMark direction={direction} storage={storage} /> · {prm(digits)}
      </span>
    </span>
  ),
}

/** Where the figure of a member and a whole month is explained. */
const whyOf = ({ operationId, participantId }: Row, { from, to }: Pick<Period, 'from' | 'to'>) =>
  from.endsWith('-01') && to === addMonths(from, 1)
    ? `/acc-operations/${operationId}/why?${new URLSearchParams({ membre: participantId, mois: from })}`
    : undefined

function LocalFigure({ row, period }: { row: Row; period: Pick<Period, 'from' | 'to'> }) {
  const figure = energyLike([row.total, row.local])(row.local)
  const to = whyOf(row, period)
  return to ? (
    <Link to={to} title="Pourquoi ce chiffre ?" className="text-link">
      {figure}
    </Link>
  ) : (
    figure
  )
}

export const energyColumns = (period: Pick<Period, 'from' | 'to'>): Column<Row>[] => [
  {
    header: 'Relevé',
    card: 'primary',
    sort: 'total',
    align: 'end',
    cell: ({ total, local }) => energyLike([total, local])(total),
  },
  {
    header: 'Énergie locale',
    card: 'primary',
    sort: 'local',
    align: 'end',
    cell: (row) => <LocalFigure row={row} period={period} />,
  },
  {
    header: 'Partage',
    card: 'none',
    cell: (row) => (
      <span className="block w-28">
        <ShareBar parts={partsOf(row)} />
      </span>
    ),
  },
  { header: 'Taux', card: 'primary', sort: 'rate', align: 'end', cell: (row) => rate(row.rate) },
  { header: 'Part du total', card: 'none', sort: 'share', align: 'end', cell: ({ share }) => rate(share) },
  {
    header: 'Valeur (HT)',
    card: 'primary',
    sort: 'valueCents',
    align: 'end',
    cell: ({ valueCents }) => (valueCents === null ? '–' : money(valueCents)),
  },
]

const classColumns = (shown: TimeClass[], sums: Map<string, Split>): Column<Row>[] => [
  ...shown.map(
    (name): Column<Row> => ({
      header: name,
      align: 'end',
      cell: ({ id }) => {
        const own = sums.get(id)?.[name]
        return own ? (
          <span className="block whitespace-nowrap">
            {energy(own.local)}
            <span className="block text-[0.8125rem] text-ink-soft">sur {energy(own.total)}</span>
          </span>
        ) : (
          '–'
        )
      },
    }),
  ),
]

const NO_CLASSES =
  'Les classes temporelles se lisent par calcul entier. Cette période en coupe un\u00a0: choisissez un mois complet, ou ouvrez le calcul dans l’onglet Calculs.'

type PointsProps = { operationId: string; period: Period }

/** Each point over the period: what it drew or injected, the local part of it, and by time class. */
export function Points({ operationId, period: { from, to } }: PointsProps) {
  const [view, setView] = useState<'totals' | 'classes'>('totals')
  const list = useList(api.members, { operationId, from, to })
  const classes = useClasses(operationId, { from, to }, view === 'classes')
  const byClass = view === 'classes' && classes.shown.length > 0
  const columns = byClass ? classColumns(classes.shown, classes.sums) : energyColumns({ from, to })
  return (
    <Card title="Par point de livraison" description="Chaque compteur de l’opération, consommateur ou producteur.">
      <div className="grid gap-3 [&>*]:min-w-0">
        <ListScreen
          list={list}
          label="Répartition par point"
          search="Rechercher un nom ou un PRM"
          columns={[nameColumn, ...columns]}
          filters={
            <>
              <FilterChips
                label="Sens"
                options={choices(DIRECTIONS)}
                value={list.filters.direction}
                onChange={(direction) => list.setFilters({ direction })}
              />
              <Segments
                label="Colonnes"
                value={view}
                onChange={setView}
                options={[
                  { value: 'totals', label: 'Totaux' },
                  { value: 'classes', label: 'Par classe temporelle' },
                ]}
              />
            </>
          }
          exports={
            <ExportMenu
              endpoint={api.membersExport}
              input={(format) => ({
                query: { ...list.filters, operationId, from, to, format: tableFormat(format) },
              })}
            />
          }
          empty={
            <EmptyState
              title="Aucun point sur cette période"
              why="Aucun participant n’est dans l’opération à ces dates."
              action={
                <ButtonLink variant="secondary" to={`/acc-operations/${operationId}/participants`}>
                  Voir les participants
                </ButtonLink>
              }
            />
          }
        />
        {byClass && <ClassLegend shown={classes.shown} />}
        {view === 'classes' && classes.isReady && !classes.exact && <p className="text-body">{NO_CLASSES}</p>}
        {view === 'classes' && classes.isReady && classes.exact && classes.shown.length === 0 && (
          <p className="text-body">Aucun calcul ne couvre encore cette période.</p>
        )}
      </div>
    </Card>
  )
}
