import { useQuery } from '@tanstack/react-query'
import { withDe } from '@voisol/contract/elision'
import { type ProducerStatement, statements } from '@voisol/contract/statements'
import { addMonths, monthOf } from '@voisol/energy/calendar'
import Download from 'lucide-react/icons/download'
import { useSearchParams } from 'react-router'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Select } from '../../../components/input.tsx'
import { TableSkeleton } from '../../../components/loading.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { formatMonthYear } from '../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatEnergy, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const columns: Column<ProducerStatement & { id: string }>[] = [
  {
    header: 'Producteur',
    card: 'title',
    cell: ({ seller, documents }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{seller}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{formatCount(documents, 'document')}</span>
      </span>
    ),
  },
  { header: 'Énergie', card: 'primary', align: 'end', cell: ({ sales }) => formatEnergy(sales.wh) },
  {
    header: 'Ventes TTC',
    card: 'primary',
    align: 'end',
    cell: ({ sales }) => (
      <span className="block whitespace-nowrap">
        <span className="block">{formatMoney(sales.gross)}</span>
        <span className="block text-[0.8125rem] text-ink-soft">
          {sales.tax === 0 ? 'sans TVA' : `dont TVA ${formatMoney(sales.tax)}`}
        </span>
      </span>
    ),
  },
  { header: 'Frais TTC', card: 'primary', align: 'end', cell: ({ fee }) => formatMoney(fee.gross) },
  { header: 'Résultat', card: 'primary', align: 'end', cell: ({ result }) => <strong>{formatMoney(result)}</strong> },
  {
    header: 'Encaissé pour lui',
    card: 'primary',
    align: 'end',
    cell: ({ collected }) => (collected === null ? '–' : formatMoney(collected)),
  },
  {
    header: 'À verser',
    align: 'end',
    cell: ({ payable }) => (payable === null ? '–' : formatMoney(Math.max(payable, 0))),
  },
  {
    header: 'État',
    card: 'primary',
    cell: ({ settled, waits }) =>
      settled ? (
        <Badge tone="success">Arrêté{settled.invoiceNumber && `, ${settled.invoiceNumber}`}</Badge>
      ) : waits ? (
        <span className="block max-w-64 text-[0.8125rem] text-ink-soft">{waits}</span>
      ) : (
        <Badge tone="warning">À arrêter</Badge>
      ),
  },
]

const OFFERED_MONTHS = 24
/** The months that are over, the last one first. */
const buildMonthOptions = () =>
  Array.from({ length: OFFERED_MONTHS }, (_, at) => addMonths(monthOf(getTodayInParis()), -at)).map((first) => ({
    value: first.slice(0, 7),
    label: formatMonthYear(first),
  }))

/** What was sold in the name of each producer in a month of issue, what it owes the organiser, and what is left. */
export default function StatementList() {
  const [search, setSearch] = useSearchParams()
  const monthOptions = buildMonthOptions()
  const requestedMonth = search.get('mois') ?? undefined
  const { data, error, refetch } = useQuery(query(statements.list, { query: { month: requestedMonth } }))
  const month = requestedMonth ?? data?.month ?? ''
  return (
    <section className="flex flex-col gap-4">
      <Select
        aria-label="Mois d’émission"
        className="sm:w-56"
        value={month}
        options={monthOptions}
        onChange={(event) => {
          const mois = event.target.value
          setSearch((old) => {
            old.set('mois', mois)
            return old
          })
        }}
      />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <TableSkeleton label="Relevés des producteurs" />
      ) : data.items.length === 0 ? (
        <EmptyState
          title="Rien n’a été émis ce mois-ci"
          why="Le relevé d’un producteur rassemble les factures et avoirs émis en son nom, et les frais de l’organisateur."
          action={
            <ButtonLink variant="secondary" to="/billing">
              Ouvrir la clôture du mois
            </ButtonLink>
          }
        />
      ) : (
        <Table
          label="Relevés des producteurs"
          rows={data.items.map((item) => ({ ...item, id: item.sellerId }))}
          columns={columns}
          rowActions={(row) => (
            <>
              <StatementPdfButton statement={row} />
              <SettleStatementButton statement={row} />
            </>
          )}
        />
      )}
    </section>
  )
}

type Props = { statement: ProducerStatement }
const toParams = ({ sellerId, month }: ProducerStatement) => ({ sellerId, month: month.slice(0, 7) })

const StatementPdfButton = ({ statement }: Props) => (
  <Button
    variant="quiet"
    size="small"
    icon={<Download aria-hidden="true" />}
    aria-label={`Relevé de ${statement.seller}, PDF`}
    onClick={() =>
      void download(statements.pdf, { params: toParams(statement) }).catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
    }
  >
    PDF
  </Button>
)

/** Once told, a statement stays: what comes later is of a later month. */
const SettleStatementButton = withAccess(statements.settle, ({ statement }: Props) => {
  const settle = useAction(statements.settle, [statements.list, statements.get])
  if (statement.settled || statement.waits) return null
  const fees = statement.fee.gross
    ? ` La facture des frais de l’organisateur (${formatMoney(statement.fee.gross)} TTC) est émise.`
    : ''
  return (
    <Confirm
      tone="primary"
      title={`Arrêter le relevé de ${statement.seller}`}
      description={`Le relevé ${withDe(formatMonthYear(statement.month))} ne changera plus.${fees}`}
      action="Arrêter le relevé"
      trigger={
        <Button variant="secondary" size="small">
          Arrêter
        </Button>
      }
      onConfirm={async () => {
        await settle.run({ params: toParams(statement) })
        toast({ title: 'Relevé arrêté', variant: 'success' })
      }}
    />
  )
})
