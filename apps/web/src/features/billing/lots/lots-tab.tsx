import { useQuery } from '@tanstack/react-query'
import {
  type Lot,
  type LotCharge,
  type LotSpread,
  LotsUpdate,
  lots,
  MAX_LOTS,
  SPREAD_LABELS,
  SpreadBy,
} from '@voisol/contract/lots'
import { parties } from '@voisol/contract/parties'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { ExportMenu } from '../../../components/export-menu.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FieldFrame, Select, Textarea } from '../../../components/input.tsx'
import { Link } from '../../../components/link.tsx'
import { Skeleton, TableSkeleton } from '../../../components/loading.tsx'
import { usePeriodOption } from '../../../components/period/period-labels.ts'
import { type Column, Table } from '../../../components/table.tsx'
import { KpiTile } from '../../../components/tile.tsx'
import { withAccess } from '../../../lib/can.tsx'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatEnergy, formatMoney, formatNumber } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const MAX_LISTED_BUYERS = 500

function Editor({ id, onDone }: { id: string; onDone: () => void }) {
  const { data, error, refetch } = useQuery(query(lots.get, { params: { id } }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return data ? <LotsEditor key={id} spread={data} onDone={onDone} /> : <Skeleton className="h-72 w-full" />
}

/** Whose charge is to be spread: a buyer that has lots already, or another. */
const EditLots = withAccess(lots.save, ({ of, name }: { of?: string; name?: string }) => {
  const [open, setOpen] = useState(false)
  const [chosen, setChosen] = useState('')
  const buyers = useQuery({
    ...query(parties.buyers, { query: { size: MAX_LISTED_BUYERS, sort: 'name' } }),
    enabled: open && !of,
  })
  const id = of ?? chosen
  const options = (buyers.data?.items ?? []).map((buyer) => ({ value: buyer.id, label: buyer.name }))
  return (
    <Dialog
      title={name ? `Lots de ${name}` : 'Répartir la charge d’un acheteur'}
      description="Sa facture reste une seule ; ce tableau dit ce que chaque lot en porte, au centime près."
      width="medium"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button variant={of ? 'secondary' : 'primary'}>
          {of ? 'Modifier les lots' : 'Répartir un autre acheteur'}
        </Button>
      }
    >
      <div className="grid gap-4">
        {!of && (
          <FieldFrame id="lots-buyer" label="Acheteur">
            <Select
              id="lots-buyer"
              value={chosen}
              options={[{ value: '', label: 'Choisir…' }, ...options]}
              onChange={({ target }) => setChosen(target.value)}
            />
          </FieldFrame>
        )}
        {id && <Editor key={id} id={id} onDone={() => setOpen(false)} />}
      </div>
    </Dialog>
  )
})

/** A co-ownership or a landlord is invoiced once; its lots bear the charge. */
export default function LotsTab() {
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(query(lots.list, {}))
  const { spans, value, from, to, choose } = usePeriodOption()
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  const chosen = data.items.find(({ buyer }) => buyer.id === search.get('acheteur')) ?? data.items[0]
  if (!chosen)
    return (
      <EmptyState
        title="Aucune charge n’est répartie"
        why={
          'Une copropriété ou un bailleur reçoit une seule facture\u00a0: donnez ses lots et leurs tantièmes, et chaque facture se répartit au centime près.'
        }
        action={<EditLots />}
      />
    )
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          aria-label="Acheteur"
          className="sm:w-72"
          value={chosen.buyer.id}
          options={data.items.map(({ buyer }) => ({ value: buyer.id, label: buyer.name }))}
          onChange={({ target }) =>
            setSearch((old) => {
              old.set('acheteur', target.value)
              return old
            })
          }
        />
        <Select
          aria-label="Période de fourniture"
          className="sm:w-52"
          value={value}
          options={spans}
          onChange={({ target }) => choose(target.value)}
        />
        <div className="flex flex-wrap gap-2 sm:ml-auto">
          <EditLots of={chosen.buyer.id} name={chosen.buyer.name} />
          <EditLots />
        </div>
      </div>
      <LotChargesPanel id={chosen.buyer.id} from={from} to={to} />
    </div>
  )
}

const MAX_SHOWN_FAULTS = 5
const LotsFormSchema = z
  .object({ by: SpreadBy, text: z.string().max(MAX_LOTS * 300) })
  .superRefine(({ by, text }, context) => {
    const { lots: parsedLots, faults } = parseLots(text)
    for (const message of faults.slice(0, MAX_SHOWN_FAULTS))
      context.addIssue({ code: 'custom', path: ['text'], message })
    if (faults.length > 0) return
    const parsed = LotsUpdate.safeParse({ by, lots: parsedLots, version: 0 })
    for (const { message } of parsed.error?.issues.slice(0, 1) ?? [])
      context.addIssue({ code: 'custom', path: ['text'], message })
  })
const SPREAD_OPTIONS = SpreadBy.options.map((value) => ({ value, label: SPREAD_LABELS[value] }))

/** Who bears the charge of a buyer: pasted as it stands in the co-ownership's own table. */
function LotsEditor({ spread, onDone }: { spread: LotSpread; onDone: () => void }) {
  const save = useAction(lots.save, [lots.list, lots.get, lots.charges])
  const [initialSpread] = useState(spread)
  const form = useSchemaForm(LotsFormSchema, {
    defaults: { by: initialSpread.by, text: formatLots(initialSpread.lots) },
    save: async ({ by, text }) => {
      const body = { by, lots: parseLots(text).lots, version: initialSpread.version }
      await save.run({ params: { id: initialSpread.buyer.id }, body })
      toast({ title: 'Lots enregistrés', description: initialSpread.buyer.name, variant: 'success' })
      onDone()
    },
  })
  const { lots: parsedLots } = parseLots(form.watch('text'))
  const shares = parsedLots.reduce((sum, lot) => sum + lot.shares, 0)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="by" label="Répartition">
        {(control) => <Select {...control} options={SPREAD_OPTIONS} />}
      </Field>
      <Field
        form={form}
        name="text"
        label="Lots"
        hint="Une ligne par lot : numéro ; nom ; tantièmes. Vous pouvez coller trois colonnes d’un tableur. Sans lot, la charge n’est plus répartie."
      >
        {(control) => <Textarea {...control} rows={10} spellCheck={false} placeholder="12; Mme Morel; 145" />}
      </Field>
      <p aria-live="polite" className="tabular text-body text-ink-soft">
        {`${formatCount(parsedLots.length, 'lot lu', 'lots lus')}, ${formatNumber(shares)} tantièmes.`}
      </p>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer les lots
      </Button>
    </form>
  )
}

const FORMATS = { pdf: 'Liste par lot (PDF)', csv: 'CSV pour Excel', xlsx: 'Classeur Excel (.xlsx)' }
const EXPORT_FORMATS = ['pdf', 'csv', 'xlsx'] as const
const toExportFormat = (format: string) => EXPORT_FORMATS.find((one) => one === format) ?? 'pdf'

const columns: Column<LotCharge & { id: string }>[] = [
  {
    header: 'Lot',
    card: 'title',
    cell: (lot) => (
      <span className="block min-w-40">
        <span className="block font-medium">{/^\d/.test(lot.number) ? `Lot ${lot.number}` : lot.number}</span>
        {lot.holder && <span className="block text-[0.8125rem] text-ink-soft">{lot.holder}</span>}
      </span>
    ),
  },
  { header: 'Tantièmes', card: 'primary', align: 'end', cell: ({ shares }) => formatNumber(shares) },
  { header: 'Énergie locale', card: 'primary', align: 'end', cell: ({ wh }) => formatEnergy(wh) },
  { header: 'Charge TTC', card: 'primary', align: 'end', cell: ({ gross }) => formatMoney(gross) },
]

/** What each lot bears of the documents of a period, and the documents. */
function LotChargesPanel({ id, from, to }: { id: string; from: string; to: string }) {
  const span = { from, to }
  const { data, error, refetch } = useQuery(query(lots.charges, { params: { id }, query: span }))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <TableSkeleton label="Charges par lot" />
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <KpiTile
          label="Charge TTC"
          figure={formatMoney(data.gross)}
          note={formatCount(data.documents.length, 'document')}
        />
        <KpiTile label="Énergie locale" figure={formatEnergy(data.wh)} />
        <KpiTile
          label="Lots"
          figure={formatNumber(data.lots.length)}
          note={`${SPREAD_LABELS[data.by]}, ${formatNumber(data.shares)} tantièmes`}
        />
      </div>
      <Card
        title="Charge de chaque lot"
        description="La somme des lots est celle des documents, au centime près."
        actions={
          <ExportMenu
            endpoint={lots.file}
            formats={FORMATS}
            input={(format) => ({ params: { id }, query: { ...span, format: toExportFormat(format) } })}
          />
        }
      >
        <div className="grid gap-4">
          {data.documents.length > 0 ? (
            <p className="text-body text-ink-soft">
              {'Documents\u00a0: '}
              {data.documents.map((document, at) => (
                <span key={document.id}>
                  {at > 0 && ', '}
                  <Link to={`/invoice/${document.id}`} className="text-link">
                    {document.number}
                  </Link>
                </span>
              ))}
            </p>
          ) : (
            <p className="text-body text-ink-soft">Rien n’a été facturé pour cette période.</p>
          )}
          <Table
            label="Charge de chaque lot"
            rows={data.lots.map((lot) => ({ ...lot, id: lot.number }))}
            columns={columns}
          />
        </div>
      </Card>
    </>
  )
}

type ParsedLots = { lots: Lot[]; faults: string[] }

/** Lots as they are pasted from a spreadsheet or typed: number, holder, shares, a lot on each line. */
export function parseLots(text: string): ParsedLots {
  const lots: Lot[] = []
  const faults: string[] = []
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue
    const cells = line.split(/[\t;]/).map((cell) => cell.trim())
    const [number = '', holder = ''] = cells
    const shares = (cells[2] ?? '').replace(/[\s\u00a0\u202f]/g, '')
    if (at === 0 && !/\d/.test(shares) && /lot|num/i.test(number)) continue
    if (!/^\d{1,8}$/.test(shares))
      faults.push(
        `Ligne ${at + 1}\u00a0: trois colonnes sont attendues, le lot, le nom et les tantièmes, par exemple 12\u00a0; Mme\u00a0Morel\u00a0; 145.`,
      )
    else if (number === '') faults.push(`Ligne ${at + 1}\u00a0: le numéro du lot manque.`)
    else lots.push({ number, holder, shares: Number(shares) })
  }
  return { lots, faults }
}

export const formatLots = (lots: readonly Lot[]) =>
  lots.map(({ number, holder, shares }) => `${number}; ${holder}; ${shares}`).join('\n')
