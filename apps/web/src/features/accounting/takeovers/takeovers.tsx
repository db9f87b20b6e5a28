import { useQuery } from '@tanstack/react-query'
import {
  type LastReading,
  type PastDocument,
  SHADOW_CAUSE_LABELS,
  type ShadowRow,
  takeovers,
} from '@voisol/contract/takeovers'
import Download from 'lucide-react/icons/download'
import { Suspense, useState } from 'react'
import { z } from 'zod'
import { Badge, type Tone } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton, TableSkeleton } from '../../../components/loading.tsx'
import { OperationSelector } from '../../../components/operation-choice.tsx'
import { formatMonthYear } from '../../../components/period/period-labels.ts'
import { getMeterName } from '../../../components/suspended.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { download } from '../../../lib/call.ts'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { getMeterSideLabel } from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatDate, formatEnergy, formatMoney } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

function OperationTakeover({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useQuery(query(takeovers.documents, { query: { operationId } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const months = [...new Set(data.items.map(({ month }) => month))].sort().reverse()
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <PastDocuments operationId={operationId} items={data.items} />
      {months.length > 0 && <MonthComparison operationId={operationId} months={months} />}
      <LastReadings operationId={operationId} />
      <InvoiceSequencesCard />
    </div>
  )
}

/** Moving in: what was invoiced elsewhere, held against our own computation before the first month is closed here. */
export default function Takeovers() {
  return (
    <OperationSelector why="Une reprise est celle d’une opération.">
      {({ id }) => <OperationTakeover operationId={id} />}
    </OperationSelector>
  )
}

const STATE_TONES: Record<LastReading['state'], Tone> = { none: 'danger', gap: 'warning', whole: 'success' }
const describeState = ({ state, missing }: LastReading) =>
  state === 'none'
    ? 'Aucun relevé'
    : state === 'gap'
      ? `${formatCount(missing, 'jour manque', 'jours manquent')}`
      : 'Complet'

const columns: Column<LastReading>[] = [
  {
    header: 'Compteur',
    card: 'title',
    cell: ({ label, holder, prm, direction, storage }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{getMeterName({ label, holder })}</span>
        <span className="tabular block text-[0.8125rem] text-ink-soft">
          {`PRM ${prm}, ${getMeterSideLabel({ direction, storage }).toLowerCase()}`}
        </span>
      </span>
    ),
  },
  { header: 'Premier relevé', card: 'primary', cell: ({ from }) => (from ? formatDate(from) : '–') },
  { header: 'Dernier relevé', card: 'primary', cell: ({ until }) => (until ? formatDate(until) : '–') },
  {
    header: 'Depuis la reprise',
    card: 'primary',
    cell: (row) => <Badge tone={STATE_TONES[row.state]}>{describeState(row)}</Badge>,
  },
]

/** How far each meter is known: what is billed here begins where the other tool stopped. */
function LastReadings({ operationId }: { operationId: string }) {
  const { data, error, refetch } = useQuery(query(takeovers.readings, { query: { operationId } }))
  return (
    <Card
      title="Derniers relevés"
      description={
        data?.billedUntil
          ? `Facturé ailleurs jusqu’au ${formatDate(data.billedUntil)}, jour non compris\u00a0: chaque compteur doit être connu à partir de ce jour.`
          : 'Jusqu’où les relevés de chaque compteur sont connus. Reprenez les factures passées pour savoir d’où la facturation continue.'
      }
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <TableSkeleton label="Derniers relevés" />}
      {data &&
        (data.items.length > 0 ? (
          <Table label="Derniers relevés" rows={data.items} columns={columns} />
        ) : (
          <p className="text-body text-ink-soft">Aucun compteur ne participe à cette opération.</p>
        ))}
    </Card>
  )
}

const ImportPastInvoicesDialog = lazy(() => import('./import-dialog.tsx'))
const formatSignedAmount = ({ kind }: PastDocument, cents: number) =>
  formatMoney(kind === 'creditNote' ? 0 - cents : cents)

const pastDocumentsColumns: Column<PastDocument>[] = [
  {
    header: 'Document',
    card: 'title',
    cell: ({ number, seller, kind }) => (
      <span className="block min-w-32">
        <span className="block font-medium">{kind === 'creditNote' ? `${number} (avoir)` : number}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{seller.name}</span>
      </span>
    ),
  },
  { header: 'Acheteur', card: 'primary', cell: ({ buyer }) => buyer.name },
  { header: 'Mois', card: 'primary', cell: ({ month }) => formatMonthYear(month) },
  { header: 'Émis le', cell: ({ issuedOn }) => <span className="tabular">{formatDate(issuedOn)}</span> },
  { header: 'Énergie', align: 'end', cell: ({ wh }) => (wh === null ? 'non dite' : formatEnergy(wh)) },
  { header: 'TTC', card: 'primary', align: 'end', cell: (row) => formatSignedAmount(row, row.gross) },
  { header: 'Reste dû', card: 'primary', align: 'end', cell: (row) => formatSignedAmount(row, row.open) },
]

function TemplateButton() {
  return (
    <Button
      variant="quiet"
      size="small"
      icon={<Download aria-hidden="true" />}
      onClick={() =>
        void download(takeovers.template, {}).catch((error: unknown) =>
          toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
        )
      }
    >
      Modèle CSV
    </Button>
  )
}

type Props = { operationId: string; items: PastDocument[] }

/** What others issued, as documents: what is left of each stands on its buyer's account. */
function PastDocuments({ operationId, items }: Props) {
  const [open, setOpen] = useState(false)
  const can = useCan()
  return (
    <Card
      title="Factures émises ailleurs"
      description={
        'Elles sont gardées telles quelles, jamais émises de nouveau\u00a0; leur reste dû ouvre le compte de chaque acheteur.'
      }
      actions={
        <>
          <TemplateButton />
          {can(takeovers.import) && (
            <Button variant="secondary" size="small" onClick={() => setOpen(true)}>
              Reprendre des factures
            </Button>
          )}
        </>
      }
    >
      {items.length === 0 ? (
        <p className="text-body text-ink-soft">
          Aucune facture n’a été reprise. Un tableau CSV ou XLSX suffit&nbsp;: une ligne par facture, avec son numéro,
          son acheteur, sa date et son montant.
        </p>
      ) : (
        <Table label="Factures émises ailleurs" rows={items} columns={pastDocumentsColumns} />
      )}
      {open && (
        <Suspense>
          <ImportPastInvoicesDialog operationId={operationId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Card>
  )
}

const renderAmounts = (amounts: { wh: number | null; gross: number } | null) =>
  amounts ? (
    <span className="block">
      <span className="block">{formatMoney(amounts.gross)}</span>
      <span className="block text-[0.8125rem] text-ink-soft">
        {amounts.wh === null ? 'énergie non dite' : formatEnergy(amounts.wh)}
      </span>
    </span>
  ) : (
    '—'
  )

const shadowColumns: Column<ShadowRow & { id: string }>[] = [
  {
    header: 'Acheteur',
    card: 'title',
    cell: ({ buyer, seller }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{buyer.name}</span>
        <span className="block text-[0.8125rem] text-ink-soft">{seller.name}</span>
      </span>
    ),
  },
  { header: 'Facturé ailleurs', card: 'primary', align: 'end', cell: ({ theirs }) => renderAmounts(theirs) },
  { header: 'Notre calcul', card: 'primary', align: 'end', cell: ({ ours }) => renderAmounts(ours) },
  { header: 'Écart TTC', card: 'primary', align: 'end', cell: ({ difference }) => formatMoney(difference) },
  {
    header: 'Constat',
    card: 'primary',
    cell: ({ cause }) => <Badge tone={cause === 'none' ? 'success' : 'warning'}>{SHADOW_CAUSE_LABELS[cause]}</Badge>,
  },
]

function ComparisonRows({ operationId, month }: { operationId: string; month: string }) {
  const { data, error, refetch } = useQuery(query(takeovers.shadow, { query: { operationId, month } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Comparaison" />
  const { totals, problems, rows } = data
  return (
    <div className="grid gap-4">
      {problems.length > 0 && (
        <ul className="grid gap-1 text-body text-warning">
          {problems.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
      <p className="text-body">
        {`${formatCount(totals.same, 'compte identique', 'comptes identiques')}, ${formatCount(totals.differs, 'diffère', 'diffèrent')}\u00a0; ${formatMoney(totals.theirs)} facturés ailleurs, ${formatMoney(totals.ours)} par notre calcul, écart ${formatMoney(totals.difference)}.`}
      </p>
      <Table
        label="Comparaison"
        rows={rows.map((row) => ({ ...row, id: `${row.seller.id} ${row.buyer.id}` }))}
        columns={shadowColumns}
      />
    </div>
  )
}

/** A past month as we would have billed it, beside what was: nothing is written. */
function MonthComparison({ operationId, months }: { operationId: string; months: string[] }) {
  const [chosen, setChosen] = useState('')
  const month = (chosen || months[0] || '').slice(0, 7)
  return (
    <Card
      title="Comparer un mois à notre calcul"
      description={
        'À blanc, avec les relevés, la clé et le tarif d’ici\u00a0: chaque écart est à comprendre avant la première clôture.'
      }
      actions={
        <Select
          aria-label="Mois comparé"
          className="w-48"
          value={month}
          options={months.map((day) => ({ value: day.slice(0, 7), label: formatMonthYear(day) }))}
          onChange={({ target }) => setChosen(target.value)}
        />
      }
    >
      <ComparisonRows operationId={operationId} month={month} />
    </Card>
  )
}

type InvoiceSequence = z.output<typeof takeovers.series.response>['items'][number]
const LastForm = z.object({ last: z.coerce.number().int().min(0).max(9_999_998) })

function ContinueSequenceForm({ series: sequence, onDone }: { series: InvoiceSequence; onDone: () => void }) {
  const save = useAction(takeovers.continueSeries, [takeovers.series])
  const form = useSchemaForm(LastForm, {
    defaults: { last: sequence.last },
    save: async ({ last }) => {
      const { next } = await save.run({ body: { sellerId: sequence.seller.id, year: sequence.year, last } })
      toast({ title: `La prochaine facture portera le numéro ${next}`, variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="last" label="Dernier numéro pris ailleurs" inputMode="numeric" />
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Continuer la série
      </Button>
    </form>
  )
}

const ContinueSequenceButton = withAccess(
  takeovers.continueSeries,
  ({ series: sequence }: { series: InvoiceSequence }) => {
    const [open, setOpen] = useState(false)
    if (!sequence.free) return null
    return (
      <Dialog
        title={`Numéros de ${sequence.seller.name} en ${sequence.year}`}
        description="Tant que rien n’a été émis ici, la série peut reprendre là où l’autre outil l’a laissée."
        open={open}
        onOpenChange={setOpen}
        trigger={
          <Button
            variant="secondary"
            size="small"
            aria-label={`Continuer la série de ${sequence.seller.name}, ${sequence.year}`}
          >
            Continuer
          </Button>
        }
      >
        <ContinueSequenceForm series={sequence} onDone={() => setOpen(false)} />
      </Dialog>
    )
  },
)

/** Where the numbers of each seller go on. */
function InvoiceSequencesCard() {
  const { data, error, refetch } = useQuery(query(takeovers.series, {}))
  return (
    <Card
      title="Séries de numéros"
      description="Une suite de numéros n’a ni trou ni double, même en changeant d’outil."
    >
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!data && !error && <Skeleton className="h-24 w-full" />}
      {data && data.items.length === 0 && (
        <p className="text-body text-ink-soft">Aucun vendeur n’est encore enregistré.</p>
      )}
      <ul aria-label="Séries de numéros" className="divide-y divide-line">
        {data?.items.map((sequence) => (
          <li
            key={`${sequence.seller.id} ${sequence.year}`}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-2.5 text-body first:pt-0 last:pb-0"
          >
            <span className="min-w-0">
              <span className="block font-medium">{`${sequence.seller.name}, ${sequence.year}`}</span>
              <span className="tabular block text-[0.8125rem] text-ink-soft">
                {`Prochain numéro\u00a0: ${sequence.next}${sequence.before > 0 ? `, ${sequence.before} pris ailleurs` : ''}`}
              </span>
            </span>
            <ContinueSequenceButton series={sequence} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
