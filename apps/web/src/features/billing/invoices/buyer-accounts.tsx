import { useQuery } from '@tanstack/react-query'
import { corrections } from '@voisol/contract/corrections'
import type { Account, AnnualMonth } from '@voisol/contract/invoice-views'
import { invoices } from '@voisol/contract/invoices'
import { INVOICE_KIND_LABELS, type InvoiceKind } from '@voisol/contract/money'
import {
  PAYMENT_KIND_LABELS,
  PAYMENT_METHOD_LABELS,
  type PaymentKind,
  type PaymentMethod,
} from '@voisol/contract/payment-labels'
import { type AccountMovement, type BuyerAccount, payments } from '@voisol/contract/payments'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { SearchBox } from '../../../components/filter-bar.tsx'
import { Select } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { ListScreen } from '../../../components/list-screen.tsx'
import { Skeleton, TableSkeleton } from '../../../components/loading.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { type Column, emptyCell, Table } from '../../../components/table.tsx'
import { formatSignedMoney } from '../../../lib/billing-labels.ts'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate, formatMoney, formatMonth } from '../../../lib/format.ts'
import { useOpenName } from '../../../lib/object-names.ts'
import { query, useList } from '../../../lib/queries.ts'
import { DownloadButton } from './download-button.tsx'
import { AgeingTiles, accountInvoiceColumns } from './invoice-columns.tsx'
import { formatDocumentKwh } from './labels.ts'

type AccountRow = Account & { id: string }

const columns: Column<AccountRow>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ id, buyer }) => (
      <Link to={`/participant-billing?participant=${id}`} className="font-medium text-link">
        {buyer.name}
      </Link>
    ),
  },
  { header: 'Documents', card: 'secondary', align: 'end', cell: ({ documents }) => formatCount(documents, 'document') },
  { header: 'Dernière émission', card: 'none', cell: ({ lastOn }) => formatDate(lastOn) },
  { header: 'Reste dû', card: 'primary', align: 'end', cell: ({ open }) => (open ? formatMoney(open) : emptyCell) },
  {
    header: 'En retard',
    card: 'primary',
    align: 'end',
    cell: ({ overdue }) =>
      overdue ? <span className="font-medium text-danger">{formatMoney(overdue)}</span> : emptyCell,
  },
  { header: 'Crédit', card: 'primary', align: 'end', cell: ({ credit }) => (credit ? formatMoney(credit) : emptyCell) },
]

function AccountTable({ q, onSearch }: { q: string; onSearch: (q: string) => void }) {
  const { data, error, refetch } = useQuery(query(invoices.accounts, { query: q ? { q } : {} }))
  const rows = data?.items.map((account) => ({ ...account, id: account.buyer.id }))
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <SearchBox label="Rechercher un acheteur" value={q} onSearch={onSearch} className="w-full sm:w-80" />
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !rows ? (
        <TableSkeleton label="Comptes des acheteurs" />
      ) : rows.length > 0 ? (
        <Table label="Comptes des acheteurs" rows={rows} columns={columns} />
      ) : (
        <EmptyState
          title={q ? 'Aucun résultat' : 'Aucun compte'}
          why={q ? 'Aucun acheteur ne porte ce nom.' : 'Un acheteur a un compte dès son premier document émis.'}
          action={
            q ? (
              <Button variant="secondary" onClick={() => onSearch('')}>
                Effacer la recherche
              </Button>
            ) : (
              <ButtonLink variant="secondary" to="/billing">
                Ouvrir la clôture du mois
              </ButtonLink>
            )
          }
        />
      )}
    </div>
  )
}

/** Everybody who was invoiced, and what each of them owes; one of them where the address names one. */
export default function BuyerAccounts() {
  const [search, setSearch] = useSearchParams()
  const participant = search.get('participant')
  if (participant) return <BuyerAccountView buyerId={participant} />
  const onSearch = (q: string) => setSearch(q ? { q } : {}, { replace: true })
  return (
    <>
      <PageHeader
        title="Comptes des acheteurs"
        description="Ce que chacun doit, ceux qui ont du retard d’abord."
        actions={
          <ButtonLink to="/invoices" variant="secondary">
            Voir les factures
          </ButtonLink>
        }
      />
      <AccountTable q={search.get('q') ?? ''} onSearch={onSearch} />
    </>
  )
}

/** One buyer: what was issued, what is left, and each year in sum. */
function BuyerAccountView({ buyerId }: { buyerId: string }) {
  const list = useList(invoices.list, { buyerId })
  const { data } = useQuery(query(invoices.accounts, { query: {} }))
  const name = data?.items.find(({ buyer }) => buyer.id === buyerId)?.buyer.name ?? list.items[0]?.buyer.name
  useOpenName(name, 'Compte', `/participant-billing?participant=${buyerId}`)
  return (
    <>
      <PageHeader
        title={name ?? 'Compte'}
        description="Le compte de cet acheteur, tous vendeurs ensemble."
        actions={
          <ButtonLink to="/participant-billing" variant="secondary">
            Tous les comptes
          </ButtonLink>
        }
      />
      <div className="grid gap-6 [&>*]:min-w-0">
        {list.data && list.data.totals.documents > 0 && <AgeingTiles totals={list.data.totals} />}
        <ListScreen
          list={list}
          label="Documents"
          columns={accountInvoiceColumns}
          empty={
            <EmptyState
              title="Aucun document"
              why="Rien n’a encore été facturé à cet acheteur."
              action={
                <ButtonLink variant="secondary" to="/billing">
                  Ouvrir la clôture du mois
                </ButtonLink>
              }
            />
          }
        />
        {list.total > 0 && <AccountMovements buyerId={buyerId} />}
        <WithheldCents buyerId={buyerId} />
        {list.total > 0 && <AnnualSummary buyerId={buyerId} />}
      </div>
    </>
  )
}

/** Cents of a buyer that no document carries yet, and what becomes of them; nothing where there are none. */
const WithheldCents = withAccess(corrections.held, function WithheldCents({ buyerId }: { buyerId: string }) {
  const { data } = useQuery(query(corrections.held, { query: { buyerId } }))
  if (!data || data.items.length === 0) return null
  return (
    <Card title="Centimes retenus" description={data.sentence}>
      <dl className="grid max-w-xl gap-1.5 text-body">
        {data.items.map((one) => (
          <div key={`${one.month} ${one.sellerId} ${one.kind}`} className="flex items-baseline justify-between gap-4">
            <dt className="min-w-0 first-letter:uppercase">
              {formatMonth(one.month)}, {one.seller}
            </dt>
            <dd className="tabular shrink-0 font-medium">{formatSignedMoney(one.gross)}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
})

type MonthRow = Omit<AnnualMonth, 'documents' | 'month'> & { id: string; name: string; numbers: string }

const yearColumns: Column<MonthRow>[] = [
  { header: 'Mois fourni', card: 'title', cell: ({ name }) => <span className="capitalize">{name}</span> },
  { header: 'Documents', card: 'secondary', cell: ({ numbers }) => <span className="tabular">{numbers}</span> },
  { header: 'Énergie locale', card: 'primary', align: 'end', cell: ({ wh }) => formatDocumentKwh(wh) },
  { header: 'HT', card: 'primary', align: 'end', cell: ({ net }) => formatMoney(net) },
  { header: 'TVA', card: 'primary', align: 'end', cell: ({ tax }) => formatMoney(tax) },
  { header: 'TTC', card: 'primary', align: 'end', cell: ({ gross }) => formatMoney(gross) },
]

function AnnualTable({ buyerId, year }: { buyerId: string; year: number }) {
  const { data, error, refetch } = useQuery(query(invoices.annual, { query: { buyerId, year } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-40 w-full" />
  if (data.months.length === 0) return <p className="text-body text-ink-soft">Rien n’a été fourni cette année-là.</p>
  const rows = data.months.map(({ documents, month: day, ...sums }) => ({
    ...sums,
    id: day,
    name: formatMonth(day),
    numbers: documents.map(({ number }) => number).join(', '),
  }))
  const total = { ...data.totals, id: 'total', name: `Total ${year}`, numbers: '' }
  return <Table label={`Récapitulatif ${year}`} rows={[...rows, total]} columns={yearColumns} />
}

const getCurrentYear = () => new Date().getFullYear()

/** A year by month supplied, credit notes taken away; the same as the file. */
function AnnualSummary({ buyerId }: { buyerId: string }) {
  const [year, setYear] = useState(getCurrentYear)
  const years = Array.from({ length: 5 }, (_, back) => String(getCurrentYear() - back))
  return (
    <Card
      title="Récapitulatif annuel"
      description="Par mois fourni, avoirs déduits."
      actions={
        <>
          <Select
            aria-label="Année"
            className="w-28"
            value={String(year)}
            onChange={(event) => setYear(Number(event.target.value))}
            options={years.map((value) => ({ value, label: value }))}
          />
          <DownloadButton endpoint={invoices.annualFile} input={{ query: { buyerId, year } }}>
            CSV
          </DownloadButton>
        </>
      }
    >
      <AnnualTable buyerId={buyerId} year={year} />
    </Card>
  )
}

const getMethodLabel = (method: string) => PAYMENT_METHOD_LABELS[method as PaymentMethod] ?? '' // an answer of the contract
const describeMovement = ({ of, kind, method }: AccountMovement) =>
  of === 'invoice'
    ? INVOICE_KIND_LABELS[kind as InvoiceKind] // as above
    : kind === 'receipt'
      ? getMethodLabel(method)
      : PAYMENT_KIND_LABELS[kind as PaymentKind] // as above

const movementsColumns: Column<AccountMovement>[] = [
  {
    header: 'Mouvement',
    card: 'title',
    cell: (one) => (
      <span className="block py-1">
        {describeMovement(one)}{' '}
        {one.of === 'invoice' && (
          <Link to={`/invoice/${one.id}`} className="tabular text-link">
            {one.number}
          </Link>
        )}
      </span>
    ),
  },
  { header: 'Date', card: 'primary', cell: ({ bookedOn }) => formatDate(bookedOn) },
  {
    header: 'Débit',
    card: 'primary',
    align: 'end',
    cell: ({ side, amount }) => (side === 'debit' ? formatMoney(amount) : '–'),
  },
  {
    header: 'Crédit',
    card: 'primary',
    align: 'end',
    cell: ({ side, amount }) => (side === 'credit' ? formatMoney(amount) : '–'),
  },
  { header: 'Solde', card: 'primary', align: 'end', cell: ({ balance }) => <strong>{formatMoney(balance)}</strong> },
]

const describeBalance = ({ balance }: BuyerAccount) =>
  balance > 0
    ? `Doit ${formatMoney(balance)}.`
    : balance < 0
      ? `${formatMoney(-balance)} en sa faveur.`
      : 'Compte soldé.'

/** Documents and payments in the order of their days, one account for each seller. */
const AccountMovements = withAccess(payments.account, ({ buyerId }: { buyerId: string }) => {
  const { data } = useQuery(query(payments.account, { params: { id: buyerId } }))
  return data?.accounts.map((account) => (
    <section key={account.seller.id} className="grid gap-3 [&>*]:min-w-0">
      <header>
        <h2 className="text-base font-semibold tracking-[-0.01em]">Compte avec {account.seller.name}</h2>
        <p className="mt-0.5 text-body text-ink-soft">{describeBalance(account)}</p>
      </header>
      <Table label={`Mouvements avec ${account.seller.name}`} rows={account.movements} columns={movementsColumns} />
    </section>
  ))
})
