import { energy as api } from '@voisol/contract/energy'
import type { MemberEnergyItem } from '@voisol/contract/energy-figures'
import { addMonths } from '@voisol/energy/calendar'
import { useState } from 'react'
import type { z } from 'zod'
import { ButtonLink } from '../../../../components/button.tsx'
import { Card } from '../../../../components/card.tsx'
import { EmptyState } from '../../../../components/empty-state.tsx'
import { MeterSideLabel } from '../../../../components/energy-cells.tsx'
import { SegmentedControl } from '../../../../components/energy-explorer/explorer-controls.tsx'
import { ExportMenu, toTableFormat } from '../../../../components/export-menu.tsx'
import { FilterChips } from '../../../../components/filter-bar.tsx'
import { Link } from '../../../../components/link.tsx'
import { ListScreen } from '../../../../components/list-screen.tsx'
import type { Period } from '../../../../components/period/period.ts'
import {
  buildBatteryParts,
  buildConsumptionParts,
  buildProductionParts,
} from '../../../../components/stack/energy-parts.ts'
import { ShareBar } from '../../../../components/stack/share-bar.tsx'
import type { Column } from '../../../../components/table.tsx'
import { DIRECTION_LABELS, formatPrm, toChoices } from '../../../../lib/energy-labels.ts'
import { createEnergyFormatter, formatEnergy, formatMoney } from '../../../../lib/format.ts'
import { useList } from '../../../../lib/queries.ts'
import { formatRate, type TimeClass, TimeClassLegend } from '../labels.tsx'
import { type TimeClassSplit, useTimeClasses } from './time-classes.ts'

export type MemberEnergyRow = z.infer<typeof MemberEnergyItem>

export const buildMemberParts = ({
  direction,
  total,
  local,
  pending,
  storage,
}: Pick<MemberEnergyRow, 'direction' | 'total' | 'local' | 'pending' | 'storage'>) => {
  const rest = Math.max(0, total - local - pending)
  if (storage) return buildBatteryParts(direction, { local, rest, pending })
  return direction === 'production'
    ? buildProductionParts({ shared: local, surplus: rest, pendingProduced: pending })
    : buildConsumptionParts({ allocated: local, complement: rest, pendingConsumed: pending })
}

const nameColumn: Column<MemberEnergyRow> = {
  header: 'Point',
  card: 'title',
  sort: 'name',
  cell: ({ name, prm: digits, direction, storage }) => (
    <span className="block min-w-44 py-1">
      <span className="block font-medium">{name}</span>
      <span className="tabular block text-[0.8125rem] text-ink-soft">
        <MeterSideLabel direction={direction} storage={storage} /> · {formatPrm(digits)}
      </span>
    </span>
  ),
}

/** Where the figure of a member and a whole month is explained. */
const getWhyLink = ({ operationId, participantId }: MemberEnergyRow, { from, to }: Pick<Period, 'from' | 'to'>) =>
  from.endsWith('-01') && to === addMonths(from, 1)
    ? `/acc-operations/${operationId}/why?${new URLSearchParams({ membre: participantId, mois: from })}`
    : undefined

function LocalFigure({ row, period }: { row: MemberEnergyRow; period: Pick<Period, 'from' | 'to'> }) {
  const figure = createEnergyFormatter([row.total, row.local])(row.local)
  const to = getWhyLink(row, period)
  return to ? (
    <Link to={to} title="Pourquoi ce chiffre ?" className="text-link">
      {figure}
    </Link>
  ) : (
    figure
  )
}

export const buildEnergyColumns = (period: Pick<Period, 'from' | 'to'>): Column<MemberEnergyRow>[] => [
  {
    header: 'Relevé',
    card: 'primary',
    sort: 'total',
    align: 'end',
    cell: ({ total, local }) => createEnergyFormatter([total, local])(total),
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
        <ShareBar parts={buildMemberParts(row)} />
      </span>
    ),
  },
  { header: 'Taux', card: 'primary', sort: 'rate', align: 'end', cell: (row) => formatRate(row.rate) },
  { header: 'Part du total', card: 'none', sort: 'share', align: 'end', cell: ({ share }) => formatRate(share) },
  {
    header: 'Valeur (HT)',
    card: 'primary',
    sort: 'valueCents',
    align: 'end',
    cell: ({ valueCents }) => (valueCents === null ? '–' : formatMoney(valueCents)),
  },
]

const buildClassColumns = (shown: TimeClass[], sums: Map<string, TimeClassSplit>): Column<MemberEnergyRow>[] => [
  ...shown.map(
    (name): Column<MemberEnergyRow> => ({
      header: name,
      align: 'end',
      cell: ({ id }) => {
        const own = sums.get(id)?.[name]
        return own ? (
          <span className="block whitespace-nowrap">
            {formatEnergy(own.local)}
            <span className="block text-[0.8125rem] text-ink-soft">sur {formatEnergy(own.total)}</span>
          </span>
        ) : (
          '–'
        )
      },
    }),
  ),
]

const NO_CLASSES_MESSAGE =
  'Les classes temporelles se lisent par calcul entier. Cette période en coupe un\u00a0: choisissez un mois complet, ou ouvrez le calcul dans l’onglet Calculs.'

type PointTableProps = { operationId: string; period: Period }

/** Each point over the period: what it drew or injected, the local part of it, and by time class. */
export function PointTable({ operationId, period: { from, to } }: PointTableProps) {
  const [view, setView] = useState<'totals' | 'classes'>('totals')
  const list = useList(api.members, { operationId, from, to })
  const classes = useTimeClasses(operationId, { from, to }, view === 'classes')
  const byClass = view === 'classes' && classes.shown.length > 0
  const columns = byClass ? buildClassColumns(classes.shown, classes.sums) : buildEnergyColumns({ from, to })
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
                options={toChoices(DIRECTION_LABELS)}
                value={list.filters.direction}
                onChange={(direction) => list.setFilters({ direction })}
              />
              <SegmentedControl
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
                query: { ...list.filters, operationId, from, to, format: toTableFormat(format) },
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
        {byClass && <TimeClassLegend shown={classes.shown} />}
        {view === 'classes' && classes.isReady && !classes.exact && <p className="text-body">{NO_CLASSES_MESSAGE}</p>}
        {view === 'classes' && classes.isReady && classes.exact && classes.shown.length === 0 && (
          <p className="text-body">Aucun calcul ne couvre encore cette période.</p>
        )}
      </div>
    </Card>
  )
}
