import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type AmountKind, type PlantEconomy, plants } from '@voisol/contract/plants'
import { only } from '../../lib/can.tsx'
import { energy, money, percent, plural } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { ButtonLink } from '../button.tsx'
import { Card } from '../card.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorState } from '../error-state.tsx'
import { Skeleton } from '../skeleton.tsx'
import { type Column, Table } from '../table.tsx'
import { Tile } from '../tile.tsx'
import { Amounts } from './amounts.tsx'

const whole = (text: string) => <span className="whitespace-nowrap">{text}</span>
const said = (value: number | null, say: (value: number) => string) => (value === null ? '–' : whole(say(value)))
const LABEL = 'Économie des installations'

const SURPLUS: AmountKind[] = ['surplus']
const LOAN: AmountKind[] = ['loan']
const COSTS: AmountKind[] = ['maintenance', 'insurance', 'grid', 'other']

/** What nobody entered is not known, which is not zero. */
const entered = ({ amounts }: PlantEconomy, kinds: AmountKind[], cents: number) =>
  amounts.some(({ kind }) => kinds.includes(kind)) ? cents : null

const COLUMNS: Column<PlantEconomy>[] = [
  {
    header: 'Installation',
    card: 'title',
    cell: ({ name, plants: own }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {own.length > 1 ? plural(own.length, 'centrale') : (own[0]?.operationName ?? '')}
        </span>
      </span>
    ),
  },
  { header: 'Production', align: 'end', cell: ({ produced }) => whole(energy(produced)) },
  { header: 'Ventes', align: 'end', card: 'primary', cell: ({ sales }) => said(sales, money) },
  { header: 'Surplus vendu', align: 'end', cell: (row) => said(entered(row, SURPLUS, row.surplusIncome), money) },
  { header: 'Charges', align: 'end', cell: (row) => said(entered(row, COSTS, row.costs), money) },
  { header: 'Emprunt', align: 'end', cell: (row) => said(entered(row, LOAN, row.loan), money) },
  {
    header: 'Résultat',
    align: 'end',
    card: 'primary',
    cell: ({ sales, amounts, result }) => said(sales === null && amounts.length === 0 ? null : result, money),
  },
  {
    header: 'Rendement réalisé',
    align: 'end',
    card: 'primary',
    cell: ({ realised, unsaid }) =>
      realised === null ? <span title={unsaid}>–</span> : whole(percent(Math.round(realised * 1000) / 1000)),
  },
  {
    header: 'Selon l’étude',
    align: 'end',
    cell: ({ studied }) => said(studied?.rate ?? null, (rate) => percent(Math.round(rate * 1000) / 1000)),
  },
]

const sumOf = (rows: PlantEconomy[], value: (row: PlantEconomy) => number | null) =>
  rows.reduce((sum, row) => sum + (value(row) ?? 0), 0)

/** All plants together, then each: what was sold, what it cost, and what is left. */
function Portfolio({ rows }: { rows: PlantEconomy[] }) {
  const sold = rows.filter(({ sales }) => sales !== null)
  const charged = rows.filter((row) => entered(row, [...COSTS, ...LOAN], 0) !== null)
  const reasons = [...new Set(rows.flatMap(({ unsaid }) => (unsaid ? [unsaid] : [])))]
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <div className="grid gap-4 sm:grid-cols-3">
        <Tile
          label="Ventes hors taxes"
          figure={sold.length ? money(sumOf(rows, ({ sales }) => sales)) : '–'}
          note={`Factures émises pour ${plural(sold.length, 'installation')} sur ${rows.length}`}
        />
        <Tile
          label="Charges et emprunts"
          figure={charged.length ? money(sumOf(rows, ({ costs, loan }) => costs + loan)) : '–'}
          note={
            charged.length
              ? `Saisis pour ${plural(charged.length, 'installation')} sur ${rows.length}`
              : 'Aucun n’a été saisi'
          }
        />
        <Tile
          label="Résultat du portefeuille"
          figure={sold.length || charged.length ? money(sumOf(rows, ({ result }) => result)) : '–'}
          note={
            charged.length < rows.length
              ? 'Des charges restent à saisir'
              : 'Ventes et surplus, moins charges et emprunts'
          }
        />
      </div>
      <Table
        label={LABEL}
        rows={rows}
        columns={COLUMNS}
        detail={{ label: (row) => `Montants de ${row.name}`, content: (row) => <Amounts owner={row} /> }}
      />
      {reasons.map((reason) => (
        <p key={reason} className="text-[0.8125rem] text-ink-soft">
          {reason}
        </p>
      ))}
    </div>
  )
}

type Where = { from: string; to: string; operationId?: string }

/** For the owner or the investor, beside what the study promised. */
export default only(plants.economies, function PlantEconomies({ where }: { where: Where }) {
  const { data, error, refetch } = useQuery({
    ...query(plants.economies, { query: where }),
    placeholderData: keepPreviousData,
  })
  return (
    <Card title={LABEL} description="Ventes facturées, surplus, charges et emprunts, et le rendement face à l’étude.">
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-64 w-full" />}
      {data?.items.length === 0 && (
        <EmptyState
          title="Aucune installation"
          why="Aucune centrale ne participe à une opération sur cette période."
          action={
            <ButtonLink variant="secondary" to="/acc-operations">
              Voir les opérations
            </ButtonLink>
          }
        />
      )}
      {data && data.items.length > 0 && <Portfolio rows={data.items} />}
    </Card>
  )
})
