import { NewSupplierBill, supplierBills } from '@voisol/contract/supplier-bills'
import { useState } from 'react'
import { z } from 'zod'
import { explainError } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { BILL_VERDICT_LABELS } from './words.ts'

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
