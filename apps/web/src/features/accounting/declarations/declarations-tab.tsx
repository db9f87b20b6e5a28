import { useQuery } from '@tanstack/react-query'
import type { BookEntity } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import { type AcciseRow, declarations, type ReportRow, type VatRow } from '@voisol/contract/declarations'
import { withDe } from '@voisol/contract/elision'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { FilterChips } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { formatMonthYear } from '../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { withAccess } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { formatCount, formatDate, formatKwh, formatMoney, formatNumber, formatPercent } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { PrepareDeclarationButton, PreparedDeclarations } from './prepared-declarations.tsx'

function Declarations({ sellers }: { sellers: BookEntity[] }) {
  const { seller, years, year, choose } = useDeclarationChoice(sellers)
  if (!seller)
    return (
      <EmptyState
        title="Aucun vendeur"
        why={'Ce qui se déclare naît des factures\u00a0: il n’y en a pas encore.'}
        action={<ButtonLink to="/advanced-billing?tab=sellers">Ajouter un vendeur</ButtonLink>}
      />
    )
  const selection = { sellerId: seller.id, year }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <div className="flex flex-wrap gap-3">
        <Select
          aria-label="Vendeur"
          className="sm:w-72"
          value={seller.id}
          options={sellers.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={({ target }) => choose('entite', target.value)}
        />
        <Select
          aria-label="Année"
          className="sm:w-32"
          value={String(year)}
          options={years.map((one) => ({ value: String(one), label: String(one) }))}
          onChange={({ target }) => choose('annee', target.value)}
        />
      </div>
      <VatSummary {...selection} />
      <div className="grid items-start gap-6 xl:grid-cols-2 [&>*]:min-w-0">
        <AcciseSummary {...selection} />
        <EReporting {...selection} />
      </div>
      <AnnualStatements {...selection} seller={seller.name} />
      <PreparedDeclarations year={year} />
    </div>
  )
}

/** What is declared of a year: summaries of what was issued, and every file that was made of them. */
export default function DeclarationsTab() {
  const { data, error, refetch } = useQuery(query(books.list, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <Declarations sellers={data.items} />
}

const LISTED_YEARS = 5

/** Whose declarations, and of which calendar year. */
function useDeclarationChoice(sellers: BookEntity[]) {
  const [search, setSearch] = useSearchParams()
  const seller = sellers.find(({ id }) => id === search.get('entite')) ?? sellers[0]
  const last = Number(getTodayInParis().slice(0, 4))
  const years = Array.from({ length: LISTED_YEARS }, (_, at) => last - at)
  const year = years.find((one) => String(one) === search.get('annee')) ?? last
  const choose = (name: string, value: string) =>
    setSearch(
      (old) => {
        old.set(name, value)
        return old
      },
      { preventScrollReset: true },
    )
  return { seller, years, year, choose }
}

type AcciseTableRow = AcciseRow & { id: string }
const columns: Column<AcciseTableRow>[] = [
  {
    header: 'Mois fourni',
    card: 'title',
    cell: ({ month }) => <span className="block first-letter:uppercase">{formatMonthYear(month)}</span>,
  },
  {
    header: 'Catégorie',
    card: 'secondary',
    cell: ({ acciseClass, centsPerMwh }) =>
      acciseClass === null ? 'Tarif nul' : `${acciseClass}, ${formatNumber((centsPerMwh ?? 0) / 100, 2)} €/MWh`,
  },
  { header: 'Énergie', card: 'primary', align: 'end', cell: ({ wh }) => formatKwh(wh / 1000, 3) },
  { header: 'Accise', card: 'primary', align: 'end', cell: ({ cents }) => formatMoney(cents) },
]

/** What was supplied, by class of accise; what bears the zero rate is told too. */
function AcciseSummary({ sellerId, year }: { sellerId: string; year: number }) {
  const { data, error, refetch } = useQuery(query(declarations.accise, { query: { sellerId, year } }))
  return (
    <Card
      title="Accise sur l’électricité"
      description={data ? `${formatKwh(data.wh / 1000, 3)} fournis, ${formatMoney(data.cents)} d’accise.` : undefined}
      actions={
        <PrepareDeclarationButton order={{ kind: 'accise', of: sellerId, year }}>
          Préparer le récapitulatif d’accise
        </PrepareDeclarationButton>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-40 w-full" />
      ) : data.items.length > 0 ? (
        <Table
          label={`Accise ${year}`}
          rows={data.items.map((row) => ({ ...row, id: `${row.month} ${row.acciseClass} ${row.centsPerMwh}` }))}
          columns={columns}
        />
      ) : (
        <p className="text-body text-ink-soft">Rien n’a été fourni en {year}.</p>
      )}
    </Card>
  )
}

type ReportTableRow = ReportRow & { id: string }
const TRANSACTION_CODE_LABELS = { TLB1: 'Biens (TLB1)', TPS1: 'Services (TPS1)', TNT1: 'Sans TVA (TNT1)' }
const eReportingColumns: Column<ReportTableRow>[] = [
  { header: 'Jour', card: 'title', cell: ({ day }) => formatDate(day) },
  {
    header: 'Catégorie',
    card: 'secondary',
    cell: ({ code, rate }) => `${TRANSACTION_CODE_LABELS[code]}, ${formatPercent(rate / 10_000)}`,
  },
  { header: 'Base HT', card: 'primary', align: 'end', cell: ({ base }) => formatMoney(base) },
  { header: 'TVA', card: 'primary', align: 'end', cell: ({ tax }) => formatMoney(tax) },
  { header: 'Nombre', card: 'primary', align: 'end', cell: ({ documents }) => formatCount(documents, 'document') },
]

/** Sales to persons, by day of issue: what the administration will ask for. */
function EReporting({ sellerId, year }: { sellerId: string; year: number }) {
  const [chosen, setChosen] = useState<string>()
  const { data, error, refetch } = useQuery(query(declarations.eReporting, { query: { sellerId, year } }))
  const months = [...new Set((data?.items ?? []).map(({ day }) => day.slice(0, 7)))]
  const month = months.find((one) => one === chosen) ?? months.at(-1)
  const rows = (data?.items ?? []).filter(({ day }) => month !== undefined && day.startsWith(month))
  const order = { kind: 'eReporting' as const, of: sellerId, year, month: Number(month?.slice(5)) }
  return (
    <Card
      title="E-reporting"
      description="Les ventes aux particuliers, par jour, catégorie et taux. L’obligation commence le 1er septembre 2027 pour les petites entreprises."
      actions={
        month && (
          <>
            <PrepareDeclarationButton order={{ ...order, format: 'csv' }} label="Préparer l’e-reporting en CSV">
              CSV
            </PrepareDeclarationButton>
            <PrepareDeclarationButton order={{ ...order, format: 'xml' }} label="Préparer l’e-reporting en XML">
              XML
            </PrepareDeclarationButton>
          </>
        )
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-40 w-full" />
      ) : month ? (
        <div className="grid gap-3 [&>*]:min-w-0">
          <Select
            aria-label="Mois à déclarer"
            className="sm:w-56"
            value={month}
            options={months.map((one) => ({ value: one, label: formatMonthYear(`${one}-01`) }))}
            onChange={({ target }) => setChosen(target.value)}
          />
          <Table
            label="Ventes à déclarer"
            rows={rows.map((row) => ({ ...row, id: `${row.day} ${row.code} ${row.rate}` }))}
            columns={eReportingColumns}
          />
        </div>
      ) : (
        <p className="text-body text-ink-soft">Aucune vente à un particulier en {year}.</p>
      )}
    </Card>
  )
}

type AnnualStatementKind = 'participantYear' | 'producerYear'
type Props = { year: number; kind: AnnualStatementKind; children: string }
const showFailure = (error: unknown) =>
  toast({ title: 'Préparation impossible', description: explainError(error), variant: 'destructive' })

const PrepareAllButton = withAccess(declarations.makeYears, ({ year, kind, children }: Props) => {
  const make = useAction(declarations.makeYears, [declarations.list])
  const run = async () => {
    const { made, already } = await make.run({ body: { year, kind } })
    const kept = already > 0 ? `${formatCount(already, 'relevé')} sans changement` : ''
    toast({ title: formatCount(made, 'relevé préparé', 'relevés préparés'), description: kept, variant: 'success' })
  }
  return (
    <Button variant="secondary" size="small" loading={make.isPending} onClick={() => void run().catch(showFailure)}>
      {children}
    </Button>
  )
})

const ArchiveButton = ({ year, kind, children }: Props) => (
  <Button
    variant="quiet"
    size="small"
    icon={<Download aria-hidden="true" />}
    onClick={() => void download(declarations.archive, { query: { year, kind } }).catch(showFailure)}
  >
    {children}
  </Button>
)

/** Yearly statements: one paper for each, kept in its reader's portal. */
const AnnualStatements = ({ sellerId, seller, year }: { sellerId: string; seller: string; year: number }) => (
  <Card
    title={`Relevés annuels et FEC ${year}`}
    description="Par mois, avec tous les documents ; chacun retrouve le sien dans son espace. Le FEC ne contient que les mois verrouillés."
  >
    <div className="grid gap-4 text-body">
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Participants</span>
        <PrepareAllButton year={year} kind="participantYear">
          Préparer ceux des participants
        </PrepareAllButton>
        <ArchiveButton year={year} kind="participantYear">
          Archive des participants
        </ArchiveButton>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Producteurs</span>
        <PrepareAllButton year={year} kind="producerYear">
          Préparer ceux des producteurs
        </PrepareAllButton>
        <ArchiveButton year={year} kind="producerYear">
          Archive des producteurs
        </ArchiveButton>
        <PrepareDeclarationButton
          order={{ kind: 'producerYear', of: sellerId, year }}
        >{`Celui ${withDe(seller)}`}</PrepareDeclarationButton>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <span className="w-full font-medium sm:w-40">Écritures</span>
        <PrepareDeclarationButton
          order={{ kind: 'fec', of: sellerId, year }}
        >{`FEC ${withDe(seller)}`}</PrepareDeclarationButton>
      </div>
    </div>
  </Card>
)

const REGIME_LABELS = { S: 'Soumis à la TVA', E: 'Exonéré', O: 'Hors champ' }
type VatTableRow = Omit<VatRow, 'month'> & { id: string; name: string; regime: string }

const vatColumns: Column<VatTableRow>[] = [
  { header: 'Mois', card: 'title', cell: ({ name }) => <span className="block first-letter:uppercase">{name}</span> },
  { header: 'Régime', card: 'secondary', cell: ({ regime }) => regime },
  {
    header: 'Taux',
    card: 'primary',
    align: 'end',
    cell: ({ rate, id }) => (id === 'total' ? '' : formatPercent(rate / 10_000)),
  },
  { header: 'Base HT', card: 'primary', align: 'end', cell: ({ base }) => formatMoney(base) },
  { header: 'TVA', card: 'primary', align: 'end', cell: ({ tax }) => <strong>{formatMoney(tax)}</strong> },
]

function buildVatRows(rows: VatRow[]): VatTableRow[] {
  const sum = (of: (row: VatRow) => number) => rows.reduce((total, row) => total + of(row), 0)
  const total = { category: 'S' as const, rate: 0, base: sum(({ base }) => base), tax: sum(({ tax }) => tax) }
  return [
    ...rows.map(({ month, ...row }) => ({
      ...row,
      id: `${month} ${row.category} ${row.rate}`,
      name: formatMonthYear(month),
      regime: REGIME_LABELS[row.category],
    })),
    { ...total, id: 'total', name: 'Total', regime: '' },
  ]
}

const GROUPING_OPTIONS = [
  { value: 'issue', label: 'Par mois d’émission' },
  { value: 'supply', label: 'Par mois de fourniture' },
]

/** The tax of the documents, by month: that of issue is the accounts’, that of supply is when it is due. */
function VatSummary({ sellerId, year }: { sellerId: string; year: number }) {
  const [by, setBy] = useState('issue')
  const { data, error, refetch } = useQuery(query(declarations.vat, { query: { sellerId, year } }))
  const rows = data && (by === 'supply' ? data.supply : data.issue)
  return (
    <Card
      title="TVA"
      description="La somme des documents, avoirs déduits ; par mois d’émission elle est celle des comptes."
      actions={
        <PrepareDeclarationButton order={{ kind: 'vat', of: sellerId, year }}>
          Préparer le récapitulatif de TVA
        </PrepareDeclarationButton>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !rows ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <div className="grid gap-3 [&>*]:min-w-0">
          <FilterChips
            label="Regrouper"
            options={GROUPING_OPTIONS}
            value={by}
            onChange={(next) => setBy(next ?? 'issue')}
          />
          {rows.length > 0 ? (
            <Table label={`TVA ${year}`} rows={buildVatRows(rows)} columns={vatColumns} />
          ) : (
            <p className="text-body text-ink-soft">Rien à déclarer pour {year}.</p>
          )}
        </div>
      )}
    </Card>
  )
}
