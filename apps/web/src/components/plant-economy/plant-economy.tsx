import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  AMOUNT_FREQUENCY_LABELS,
  AMOUNT_KIND_LABELS,
  type AmountKind,
  type PlantAmount,
  type PlantEconomy,
  plants,
} from '@voisol/contract/plants'
import Trash from 'lucide-react/icons/trash-2'
import { Suspense, useState } from 'react'
import { Can, withAccess } from '../../lib/can.tsx'
import { formatCount, formatEnergy, formatMoney, formatPercent } from '../../lib/format.ts'
import { query, useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../button.tsx'
import { Card } from '../card.tsx'
import { Confirm } from '../dialog.tsx'
import { EmptyState } from '../empty-state.tsx'
import { ErrorState } from '../error-state.tsx'
import { IconButton } from '../icon-button.tsx'
import { lazy } from '../lazy.tsx'
import { Skeleton } from '../loading.tsx'
import { formatLongDay } from '../period/period-labels.ts'
import { type Column, Table } from '../table.tsx'
import { KpiTile } from '../tile.tsx'

const renderNoWrap = (text: string) => <span className="whitespace-nowrap">{text}</span>
const renderOrDash = (value: number | null, say: (value: number) => string) =>
  value === null ? '–' : renderNoWrap(say(value))
const LABEL = 'Économie des installations'

const SURPLUS_KINDS: AmountKind[] = ['surplus']
const LOAN_KINDS: AmountKind[] = ['loan']
const COST_KINDS: AmountKind[] = ['maintenance', 'insurance', 'grid', 'other']

/** What nobody entered is not known, which is not zero. */
const getEnteredAmount = ({ amounts }: PlantEconomy, kinds: AmountKind[], cents: number) =>
  amounts.some(({ kind }) => kinds.includes(kind)) ? cents : null

const COLUMNS: Column<PlantEconomy>[] = [
  {
    header: 'Installation',
    card: 'title',
    cell: ({ name, plants: own }) => (
      <span className="block min-w-40 py-1">
        <span className="font-medium">{name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {own.length > 1 ? formatCount(own.length, 'centrale') : (own[0]?.operationName ?? '')}
        </span>
      </span>
    ),
  },
  { header: 'Production', align: 'end', cell: ({ produced }) => renderNoWrap(formatEnergy(produced)) },
  { header: 'Ventes', align: 'end', card: 'primary', cell: ({ sales }) => renderOrDash(sales, formatMoney) },
  {
    header: 'Surplus vendu',
    align: 'end',
    cell: (row) => renderOrDash(getEnteredAmount(row, SURPLUS_KINDS, row.surplusIncome), formatMoney),
  },
  {
    header: 'Charges',
    align: 'end',
    cell: (row) => renderOrDash(getEnteredAmount(row, COST_KINDS, row.costs), formatMoney),
  },
  {
    header: 'Emprunt',
    align: 'end',
    cell: (row) => renderOrDash(getEnteredAmount(row, LOAN_KINDS, row.loan), formatMoney),
  },
  {
    header: 'Résultat',
    align: 'end',
    card: 'primary',
    cell: ({ sales, amounts, result }) =>
      renderOrDash(sales === null && amounts.length === 0 ? null : result, formatMoney),
  },
  {
    header: 'Rendement réalisé',
    align: 'end',
    card: 'primary',
    cell: ({ realised, unsaid }) =>
      realised === null ? (
        <span title={unsaid}>–</span>
      ) : (
        renderNoWrap(formatPercent(Math.round(realised * 1000) / 1000))
      ),
  },
  {
    header: 'Selon l’étude',
    align: 'end',
    cell: ({ studied }) => renderOrDash(studied?.rate ?? null, (rate) => formatPercent(Math.round(rate * 1000) / 1000)),
  },
]

const sumRows = (rows: PlantEconomy[], value: (row: PlantEconomy) => number | null) =>
  rows.reduce((sum, row) => sum + (value(row) ?? 0), 0)

/** All plants together, then each: what was sold, what it cost, and what is left. */
function Portfolio({ rows }: { rows: PlantEconomy[] }) {
  const sold = rows.filter(({ sales }) => sales !== null)
  const charged = rows.filter((row) => getEnteredAmount(row, [...COST_KINDS, ...LOAN_KINDS], 0) !== null)
  const reasons = [...new Set(rows.flatMap(({ unsaid }) => (unsaid ? [unsaid] : [])))]
  return (
    <div className="grid gap-5 [&>*]:min-w-0">
      <div className="grid gap-4 sm:grid-cols-3">
        <KpiTile
          label="Ventes hors taxes"
          figure={sold.length ? formatMoney(sumRows(rows, ({ sales }) => sales)) : '–'}
          note={`Factures émises pour ${formatCount(sold.length, 'installation')} sur ${rows.length}`}
        />
        <KpiTile
          label="Charges et emprunts"
          figure={charged.length ? formatMoney(sumRows(rows, ({ costs, loan }) => costs + loan)) : '–'}
          note={
            charged.length
              ? `Saisis pour ${formatCount(charged.length, 'installation')} sur ${rows.length}`
              : 'Aucun n’a été saisi'
          }
        />
        <KpiTile
          label="Résultat du portefeuille"
          figure={sold.length || charged.length ? formatMoney(sumRows(rows, ({ result }) => result)) : '–'}
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
        detail={{ label: (row) => `Montants de ${row.name}`, content: (row) => <AmountList owner={row} /> }}
      />
      {reasons.map((reason) => (
        <p key={reason} className="text-[0.8125rem] text-ink-soft">
          {reason}
        </p>
      ))}
    </div>
  )
}

type EconomyScope = { from: string; to: string; operationId?: string }

/** For the owner or the investor, beside what the study promised. */
export default withAccess(plants.economies, function PlantEconomies({ where }: { where: EconomyScope }) {
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

const AmountDialog = lazy(() => import('./amount-dialog.tsx'))

const describeAmount = ({ kind, label }: PlantAmount) =>
  label ? `${AMOUNT_KIND_LABELS[kind]}, ${label}` : AMOUNT_KIND_LABELS[kind]

const RemoveAmountButton = withAccess(
  plants.removeAmount,
  function RemoveAmountButton({ amount }: { amount: PlantAmount }) {
    const remove = useAction(plants.removeAmount, [plants.economies])
    return (
      <Confirm
        title="Retirer ce montant"
        description={`${describeAmount(amount)}\u00a0: ${formatMoney(amount.amount)}. Les résultats de la centrale changent aussitôt.`}
        action="Retirer le montant"
        onConfirm={async () => {
          await remove.run({ params: { id: amount.id } })
          toast({ title: 'Montant retiré', variant: 'success' })
        }}
        trigger={<IconButton label={`Retirer ${describeAmount(amount)}`} icon={<Trash aria-hidden="true" />} />}
      />
    )
  },
)

/** Everything that was entered of the plants of a producer. */
export function AmountList({ owner }: { owner: PlantEconomy }) {
  const [edited, setEdited] = useState<PlantAmount | 'new' | null>(null)
  return (
    <div className="grid gap-3 py-2 [&>*]:min-w-0">
      {owner.amounts.length === 0 && (
        <p className="text-body text-ink-soft">
          Aucun montant saisi&nbsp;: ni investissement, ni charge, ni vente du surplus.
        </p>
      )}
      <ul className="grid gap-1">
        {owner.amounts.map((amount) => (
          <li
            key={amount.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b py-1"
          >
            <span>
              {describeAmount(amount)}
              <span className="block text-[0.8125rem] text-ink-soft">
                {AMOUNT_FREQUENCY_LABELS[amount.every]}, {amount.every === 'once' ? 'le' : 'depuis le'}{' '}
                {formatLongDay(amount.startsOn)}
                {amount.endsOn && ` jusqu’au ${formatLongDay(amount.endsOn)}`}
              </span>
            </span>
            <span className="flex items-center gap-2">
              <span className="tabular">{formatMoney(amount.amount)}</span>
              <Can call={plants.updateAmount}>
                <Button variant="quiet" size="small" onClick={() => setEdited(amount)}>
                  Modifier
                </Button>
              </Can>
              <RemoveAmountButton amount={amount} />
            </span>
          </li>
        ))}
      </ul>
      <Can call={plants.addAmount}>
        <Button variant="secondary" size="small" className="justify-self-start" onClick={() => setEdited('new')}>
          Ajouter un montant
        </Button>
      </Can>
      {edited && (
        <Suspense>
          <AmountDialog owner={owner} amount={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
        </Suspense>
      )}
    </div>
  )
}
