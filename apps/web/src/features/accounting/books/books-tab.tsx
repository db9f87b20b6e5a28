import { useQuery } from '@tanstack/react-query'
import type { BalanceRow, BookEntity, ControlTotal, DoubtfulDebt } from '@voisol/contract/book-views'
import { books } from '@voisol/contract/books'
import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, Suspense, useState } from 'react'
import { Badge } from '../../../components/badge.tsx'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu, toTableFormat } from '../../../components/export-menu.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { formatCount, formatDate, formatDateTime, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { useBookChoice } from './accounting-year.ts'
import { EntryComments } from './comments.tsx'
import { BookMonths } from './months.tsx'

function BookContent({ entities }: { entities: BookEntity[] }) {
  const { entity, years, year, search, choose } = useBookChoice(entities)
  if (!entity)
    return (
      <EmptyState
        title="Aucune entité"
        why={
          'Chaque vendeur, et l’organisateur pour ses frais, a sa comptabilité\u00a0: elle naît avec ses premières factures.'
        }
        action={<ButtonLink to="/advanced-billing?tab=sellers">Ajouter un vendeur</ButtonLink>}
      />
    )
  const bookYear = { sellerId: entity.id, year }
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <BookToolbar entities={entities} entity={entity} years={years} year={year} choose={choose}>
        <BookDownloads {...bookYear} yearStart={entity.yearStart} />
      </BookToolbar>
      <UnansweredQuestions choose={choose} />
      <BookControls {...bookYear} />
      <BookMonths {...bookYear} month={search.get('mois')} choose={choose} />
      <DoubtfulClaims sellerId={entity.id} />
      <TrialBalance {...bookYear} />
    </div>
  )
}

/** What was issued and paid as accountants read it: controls that show zero, months, entries, files. */
export default function BooksTab() {
  const { data, error, refetch } = useQuery(query(books.list, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <BookContent entities={data.items} />
}

type Props = {
  entities: BookEntity[]
  entity: BookEntity
  years: number[]
  year: number
  choose: (change: Record<string, string | undefined>) => void
  children?: ReactNode
}

/** Whose books and which year, and what can be taken away. */
const BookToolbar = ({ entities, entity, years, year, choose, children }: Props) => (
  <div className="flex flex-wrap items-center gap-3">
    <Select
      aria-label="Entité"
      className="sm:w-72"
      value={entity.id}
      options={entities.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={({ target }) => choose({ entite: target.value, exercice: undefined, mois: undefined })}
    />
    <Select
      aria-label="Exercice"
      className="sm:w-44"
      value={String(year)}
      options={years.map((one) => ({ value: String(one), label: `Exercice ${one}` }))}
      onChange={({ target }) => choose({ exercice: target.value, mois: undefined })}
    />
    {children && <div className="flex flex-wrap gap-2 sm:ml-auto">{children}</div>}
  </div>
)

type TrialBalanceRow = BalanceRow & { id: string }
const formatAmount = (cents: number) => (cents === 0 ? '–' : formatMoney(cents))
const columns: Column<TrialBalanceRow>[] = [
  { header: 'Compte', card: 'title', cell: ({ account }) => <span className="tabular font-medium">{account}</span> },
  { header: 'Intitulé', card: 'secondary', cell: ({ label }) => label },
  { header: 'Débit', card: 'primary', align: 'end', cell: ({ debit }) => formatAmount(debit) },
  { header: 'Crédit', card: 'primary', align: 'end', cell: ({ credit }) => formatAmount(credit) },
  { header: 'Solde', card: 'primary', align: 'end', cell: ({ balance }) => <strong>{formatMoney(balance)}</strong> },
]

/** What each account came to in a year; both sides are the same. */
function TrialBalance({ sellerId, year }: { sellerId: string; year: number }) {
  const { data } = useQuery(query(books.balance, { params: { sellerId }, query: { year } }))
  if (!data || data.items.length === 0) return null
  const total = {
    id: 'total',
    account: 'Total',
    label: '',
    debit: data.debit,
    credit: data.credit,
    balance: data.debit - data.credit,
  }
  const rows = data.items.map((row) => ({ ...row, id: row.account }))
  return (
    <div className="grid gap-3">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Balance de l’exercice {year}</h2>
      <Table label="Balance" rows={[...rows, total]} columns={columns} />
    </div>
  )
}

type QuestionsProps = { choose: (change: Record<string, string | undefined>) => void }

/** What waits for an answer, of all entities; nothing where nothing does. */
function UnansweredQuestions({ choose }: QuestionsProps) {
  const { data } = useQuery(query(books.questions, {}))
  if (!data || data.items.length === 0) return null
  return (
    <Card title={formatCount(data.items.length, 'question sans réponse', 'questions sans réponse')}>
      <ul className="divide-y divide-line">
        {data.items.map(({ id, label, seller, sellerId, source, text, author, at }) => (
          <li key={id} className="grid gap-1 py-3 text-body first:pt-0 last:pb-0">
            <p className="font-medium">
              <button type="button" className="text-link" onClick={() => choose({ entite: sellerId })}>
                {seller}
              </button>
              , {label}
            </p>
            <details>
              <summary className="cursor-pointer">
                {text} <span className="text-[0.8125rem] text-ink-soft">{`${author}, ${formatDateTime(at)}`}</span>
              </summary>
              <div className="pt-3">
                <EntryComments sellerId={sellerId} source={source} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const ProfileDialog = lazy(() => import('./profile-dialog.tsx'))
const ENCODING_LABELS = { 'utf-8': 'UTF-8', 'iso-8859-15': 'ISO-8859-15' }
const parseEncoding = (text: string): 'utf-8' | 'iso-8859-15' => (text === 'iso-8859-15' ? 'iso-8859-15' : 'utf-8')
const padTwo = (value: number) => String(value).padStart(2, '0')

/** First and last month of the accounting year that ends in a year. */
function getAccountingYearMonths(year: number, yearStart: number): { from: string; to: string } {
  if (yearStart === 1) return { from: `${year}-01`, to: `${year}-12` }
  return { from: `${year - 1}-${padTwo(yearStart)}`, to: `${year}-${padTwo(yearStart - 1)}` }
}

const ExportProfileButton = withAccess(books.addProfile, () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        Format d’export
      </Button>
      <Suspense fallback={null}>{open && <ProfileDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

type DownloadsProps = { sellerId: string; year: number; yearStart: number }
/** Everything an accountant takes away of a year. */
function BookDownloads({ sellerId, year, yearStart }: DownloadsProps) {
  const { data } = useQuery(query(books.profiles, {}))
  const params = { sellerId }
  return (
    <>
      <ExportMenu
        endpoint={books.fec}
        label="FEC"
        formats={ENCODING_LABELS}
        input={(encoding) => ({ params, query: { year, encoding: parseEncoding(encoding) } })}
      />
      <ExportMenu
        endpoint={books.sales}
        label="Journal des ventes"
        input={(format) => ({ params, query: { year, format: toTableFormat(format) } })}
      />
      <ExportMenu
        endpoint={books.export}
        label="Écritures"
        formats={Object.fromEntries((data?.items ?? []).map(({ id, name }) => [id, name]))}
        input={(profile) => ({ params, query: { ...getAccountingYearMonths(year, yearStart), profile } })}
      />
      <ExportProfileButton />
    </>
  )
}

const doubtsColumns: Column<DoubtfulDebt>[] = [
  {
    header: 'Client',
    card: 'title',
    cell: ({ customer, number }) => (
      <span className="block">
        <span className="block font-medium">{customer}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">{number}</span>
      </span>
    ),
  },
  { header: 'Créance', card: 'primary', align: 'end', cell: ({ cents }) => formatMoney(cents) },
  { header: 'Dépréciation', card: 'primary', align: 'end', cell: ({ lost }) => formatMoney(lost) },
  { header: 'Depuis', card: 'primary', cell: ({ bookedOn, by }) => `${formatDate(bookedOn)}, ${by}` },
  { header: 'Motif', card: 'secondary', cell: ({ reason }) => <span className="block max-w-80">{reason}</span> },
  {
    header: 'État',
    card: 'primary',
    cell: ({ lifted }) =>
      lifted ? <Badge>Levé le {formatDate(lifted)}</Badge> : <Badge tone="warning">Douteuse</Badge>,
  },
]

const LiftDoubtButton = withAccess(books.liftDoubt, ({ doubt }: { doubt: DoubtfulDebt }) => {
  const lift = useAction(books.liftDoubt, [books.doubts, books.entries, books.months, books.balance, books.ties])
  if (doubt.lifted) return null
  return (
    <Confirm
      tone="primary"
      title={`Lever le doute sur ${doubt.number}`}
      description="La créance revient au compte des clients et sa dépréciation est reprise, à la date d’aujourd’hui."
      action="Lever le doute"
      trigger={
        <Button variant="secondary" size="small">
          Lever le doute
        </Button>
      }
      onConfirm={async () => {
        await lift.run({ params: { id: doubt.id }, body: { bookedOn: getTodayInParis() } })
        toast({ title: 'Doute levé', variant: 'success' })
      }}
    />
  )
})

/** Claims that may not be paid; nothing where there is none. */
function DoubtfulClaims({ sellerId }: { sellerId: string }) {
  const { data } = useQuery(query(books.doubts, { params: { sellerId } }))
  if (!data || data.items.length === 0) return null
  return (
    <div className="grid gap-3">
      <h2 className="text-base font-semibold tracking-[-0.01em]">Créances douteuses</h2>
      <Table
        label="Créances douteuses"
        rows={data.items}
        columns={doubtsColumns}
        rowActions={(doubt) => <LiftDoubtButton doubt={doubt} />}
      />
    </div>
  )
}

type ControlRow = ControlTotal['rows'][number] & { id: string }
const buildColumns = ({ left, right }: ControlTotal): Column<ControlRow>[] => [
  { header: 'Ligne', card: 'title', cell: ({ label }) => label },
  { header: left.label, card: 'primary', align: 'end', cell: (row) => formatMoney(row.left) },
  { header: right.label, card: 'primary', align: 'end', cell: (row) => formatMoney(row.right) },
  {
    header: 'Écart',
    card: 'primary',
    align: 'end',
    cell: ({ difference }) =>
      difference === 0 ? formatMoney(0) : <span className="font-medium text-danger">{formatMoney(difference)}</span>,
  },
]

function ControlVerdict({ difference }: ControlTotal) {
  const isEqual = difference === 0
  const Icon = isEqual ? CircleCheck : TriangleAlert
  return (
    <p className={`flex items-center gap-2 font-medium ${isEqual ? 'text-success' : 'text-danger'}`}>
      <Icon aria-hidden="true" className="size-4" />
      Écart {formatMoney(difference)}
    </p>
  )
}

const ControlSides = ({ left, right, note }: ControlTotal) => (
  <div className="grid content-start gap-1 text-body">
    <dl className="grid gap-1">
      {[left, right].map(({ label, cents }) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-ink-soft">{label}</dt>
          <dd className="tabular ml-auto">{formatMoney(cents)}</dd>
        </div>
      ))}
    </dl>
    {note && <p className="text-[0.8125rem] text-ink-soft">{note}</p>}
  </div>
)

function ControlItem({ tie }: { tie: ControlTotal }) {
  const rows = tie.rows.map((row, at) => ({ ...row, id: `${at}` }))
  return (
    <li className="grid content-start gap-2 py-4 first:pt-0 last:pb-0">
      <div className="grid gap-x-8 gap-y-1 md:grid-cols-[9rem_minmax(0,1fr)_9rem] lg:grid-cols-[14rem_minmax(0,1fr)_12rem]">
        <h3 className="font-medium">{tie.label}</h3>
        <ControlSides {...tie} />
        <div className="md:justify-self-end">
          <ControlVerdict {...tie} />
        </div>
      </div>
      {rows.length > 0 && (
        <details>
          <summary className="inline-flex min-h-6 cursor-pointer text-[0.8125rem] text-link">
            Voir {rows.length === 1 ? 'la ligne' : `les ${rows.length} lignes`}
          </summary>
          <div className="pt-3">
            <Table label={`Contrôle\u00a0: ${tie.label}`} rows={rows} columns={buildColumns(tie)} />
          </div>
        </details>
      )}
    </li>
  )
}

/** Two figures that must be the same, each opening to what it is made of. */
function BookControls({ sellerId, year }: { sellerId: string; year: number }) {
  const { data, error, refetch } = useQuery(query(books.ties, { params: { sellerId }, query: { year } }))
  return (
    <Card
      title="Contrôles"
      description="Ce que disent les comptes, à côté de ce que disent les documents et les paiements."
    >
      {error ? (
        <ErrorState error={error} onRetry={refetch} />
      ) : !data ? (
        <Skeleton className="h-40 w-full" />
      ) : (
        <ul className="divide-y divide-line">
          {data.items.map((tie) => (
            <ControlItem key={tie.name} tie={tie} />
          ))}
        </ul>
      )}
    </Card>
  )
}
