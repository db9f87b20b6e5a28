import { useQuery } from '@tanstack/react-query'
import { NewSupplierBill, type SupplierBill, supplierBills } from '@voisol/contract/supplier-bills'
import { useState } from 'react'
import { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { BILL_VERDICT_LABELS } from '../../../components/bill-verdicts.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FileDrop } from '../../../components/file-drop.tsx'
import { Select } from '../../../components/input.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { download } from '../../../lib/call.ts'
import { Can } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatDate } from '../../../lib/format.ts'
import { query, useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

/** Whether suppliers took the local share off right: one invoice at a time, and those that were checked. */
export default function SupplierBills() {
  const { data, error, refetch } = useQuery(query(supplierBills.list, {}))
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-64 w-full" />
  if (data.points.length === 0) return null
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
      <Can call={supplierBills.check}>
        <Card
          title="Vérifier une facture de fournisseur"
          description="Un fournisseur doit déduire l’énergie locale reçue. L’a-t-il fait, au kWh près&#160;?"
        >
          <SupplierBillCheckForm points={data.points} />
        </Card>
      </Can>
      <Card title="Factures vérifiées">
        {data.items.length > 0 ? (
          <CheckedBills bills={data.items} />
        ) : (
          <p className="text-body text-ink-soft">Aucune facture n’a encore été vérifiée.</p>
        )}
      </Card>
    </div>
  )
}

const getPreviousDay = (day: string) => new Date(Date.parse(`${day}T12:00:00Z`) - 86_400_000)

function LetterButton({ bill }: { bill: SupplierBill }) {
  const [busy, setBusy] = useState(false)
  const downloadLetter = () => {
    setBusy(true)
    download(supplierBills.letter, { params: { id: bill.id } })
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setBusy(false))
  }
  return (
    <Button variant="secondary" size="small" loading={busy} onClick={downloadLetter}>
      Lettre au fournisseur
    </Button>
  )
}

const CheckedBill = ({ bill }: { bill: SupplierBill }) => (
  <li className="grid gap-2 py-4 text-body">
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p className="min-w-0 font-medium">
        {bill.supplier}, du {formatDate(bill.from)} au {formatDate(getPreviousDay(bill.to))}
      </p>
      <Badge tone={BILL_VERDICT_LABELS[bill.verdict].tone}>{BILL_VERDICT_LABELS[bill.verdict].label}</Badge>
    </div>
    <p className="text-[0.8125rem] text-ink-soft">
      {bill.participant.name}, PRM <span className="tabular">{bill.point.prm}</span>
      {bill.number && `, facture ${bill.number}`}. Vérifiée le {formatDate(bill.at)}.
    </p>
    {bill.sentences.map((sentence) => (
      <p key={sentence}>{sentence}</p>
    ))}
    {(bill.verdict === 'short' || bill.verdict === 'over') && (
      <div>
        <LetterButton bill={bill} />
      </div>
    )}
  </li>
)

export const CheckedBills = ({ bills }: { bills: SupplierBill[] }) => (
  <ul className="divide-y divide-line">
    {bills.map((bill) => (
      <CheckedBill key={bill.id} bill={bill} />
    ))}
  </ul>
)

export type BilledPoint = { id: string; name: string; prm: string }

const parseWholeKwh = (text: string) => {
  const compact = text.replace(/[\s\u00a0\u202f]|kwh/gi, '')
  return /^\d+$/.test(compact) ? Number(compact) : Number.NaN
}
/** As it is printed on the invoice: the last day is covered, figures are text. */
const CheckFormSchema = z.object({
  pointId: z.string(),
  supplier: NewSupplierBill.shape.supplier,
  number: NewSupplierBill.shape.number,
  from: NewSupplierBill.shape.from,
  last: NewSupplierBill.shape.from,
  deducted: z
    .string()
    .refine((text) => Number.isInteger(parseWholeKwh(text)), 'Un nombre entier de kWh est attendu, par exemple 128.'),
  billed: z
    .string()
    .refine(
      (text) => text.trim() === '' || Number.isInteger(parseWholeKwh(text)),
      'Un nombre entier de kWh est attendu, par exemple 245.',
    ),
})
const shiftDay = (day: string, days: number) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const toSupplierBill = ({
  pointId,
  supplier,
  number,
  from,
  last,
  deducted,
  billed,
}: z.output<typeof CheckFormSchema>) => ({
  pointId,
  supplier,
  number,
  from,
  to: shiftDay(last, 1),
  deductedKwh: parseWholeKwh(deducted),
  billedKwh: billed.trim() === '' ? null : parseWholeKwh(billed),
})

function useCheckForm(points: BilledPoint[]) {
  const check = useAction(supplierBills.check, [supplierBills.list])
  const form = useSchemaForm(CheckFormSchema, {
    defaults: { pointId: points[0]?.id ?? '', supplier: '', number: '', from: '', last: '', deducted: '', billed: '' },
    save: async (typed) => {
      const { verdict } = await check.run({ body: toSupplierBill(typed) })
      toast({ title: BILL_VERDICT_LABELS[verdict].label, variant: verdict === 'right' ? 'success' : 'default' })
      form.reset()
    },
  })
  return form
}

/** Fills in what a PDF says; whoever dropped it reads it over. */
function usePdfReading(form: ReturnType<typeof useCheckForm>, points: BilledPoint[]) {
  const read = useAction(supplierBills.read, [])
  const [message, setMessage] = useState('')
  const readFile = async (file: File) => {
    setMessage('')
    try {
      const parsed = await read.run({ upload: file })
      const point = points.find(({ prm }) => prm === parsed.prm)
      if (point) form.setValue('pointId', point.id)
      if (parsed.supplier) form.setValue('supplier', parsed.supplier)
      if (parsed.number) form.setValue('number', parsed.number)
      if (parsed.from) form.setValue('from', parsed.from)
      if (parsed.to) form.setValue('last', shiftDay(parsed.to, -1))
      if (parsed.deductedKwh !== null) form.setValue('deducted', String(parsed.deductedKwh))
      if (parsed.billedKwh !== null) form.setValue('billed', String(parsed.billedKwh))
      const prmWarning =
        parsed.prm && !point ? ` Attention\u00a0: son PRM, ${parsed.prm}, n’est pas l’un des vôtres.` : ''
      setMessage(`Relisez ce qui a été reconnu, complétez, puis vérifiez.${prmWarning}`)
    } catch (error) {
      setMessage(explainError(error))
    }
  }
  return { said: message, take: readFile, busy: read.isPending }
}

export function SupplierBillCheckForm({ points }: { points: BilledPoint[] }) {
  const form = useCheckForm(points)
  const { said: message, take: readFile, busy } = usePdfReading(form, points)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FileDrop
        label="Choisir la facture en PDF"
        hint="Seuls ses chiffres sont lus&#160;; le fichier n’est pas conservé."
        accept=".pdf"
        disabled={busy}
        onFile={(file) => void readFile(file)}
      />
      {message && (
        <p role="status" className="text-body">
          {message}
        </p>
      )}
      <FormErrors form={form} />
      <Field form={form} name="pointId" label="Compteur">
        {(control) => (
          <Select
            {...control}
            options={points.map(({ id, name, prm }) => ({ value: id, label: `${name} (${prm})` }))}
          />
        )}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="supplier" label="Fournisseur" />
        <Field form={form} name="number" label="Numéro de la facture" optional />
        <Field form={form} name="from" label="Premier jour facturé" type="date" />
        <Field form={form} name="last" label="Dernier jour facturé" type="date" />
        <Field form={form} name="deducted" label="Énergie locale déduite, en kWh" inputMode="numeric" />
        <Field form={form} name="billed" label="Énergie facturée, en kWh" inputMode="numeric" optional />
      </div>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-start">
        Vérifier la déduction
      </Button>
    </form>
  )
}
