import { NewSupplierBill, supplierBills } from '@voisol/contract/supplier-bills'
import { useState } from 'react'
import { z } from 'zod'
import { explain } from '../../lib/explain.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { VERDICTS } from './words.ts'

export type Choice = { id: string; name: string; prm: string }

const wholeKwh = (text: string) => {
  const compact = text.replace(/[\s\u00a0\u202f]|kwh/gi, '')
  return /^\d+$/.test(compact) ? Number(compact) : Number.NaN
}
/** As it is printed on the invoice: the last day is covered, figures are text. */
const Typed = z.object({
  pointId: z.string(),
  supplier: NewSupplierBill.shape.supplier,
  number: NewSupplierBill.shape.number,
  from: NewSupplierBill.shape.from,
  last: NewSupplierBill.shape.from,
  deducted: z
    .string()
    .refine((text) => Number.isInteger(wholeKwh(text)), 'Un nombre entier de kWh est attendu, par exemple 128.'),
  billed: z
    .string()
    .refine(
      (text) => text.trim() === '' || Number.isInteger(wholeKwh(text)),
      'Un nombre entier de kWh est attendu, par exemple 245.',
    ),
})
const shifted = (day: string, days: number) =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const bodyOf = ({ pointId, supplier, number, from, last, deducted, billed }: z.output<typeof Typed>) => ({
  pointId,
  supplier,
  number,
  from,
  to: shifted(last, 1),
  deductedKwh: wholeKwh(deducted),
  billedKwh: billed.trim() === '' ? null : wholeKwh(billed),
})

function useForm(points: Choice[]) {
  const check = useAction(supplierBills.check, [supplierBills.list])
  const form = useSchemaForm(Typed, {
    defaults: { pointId: points[0]?.id ?? '', supplier: '', number: '', from: '', last: '', deducted: '', billed: '' },
    save: async (typed) => {
      const { verdict } = await check.run({ body: bodyOf(typed) })
      toast({ title: VERDICTS[verdict].label, variant: verdict === 'right' ? 'success' : 'default' })
      form.reset()
    },
  })
  return form
}

/** Fills in what a PDF says; whoever dropped it reads it over. */
function useReading(form: ReturnType<typeof useForm>, points: Choice[]) {
  const read = useAction(supplierBills.read, [])
  const [said, setSaid] = useState('')
  const take = async (file: File) => {
    setSaid('')
    try {
      const found = await read.run({ upload: file })
      const point = points.find(({ prm }) => prm === found.prm)
      if (point) form.setValue('pointId', point.id)
      if (found.supplier) form.setValue('supplier', found.supplier)
      if (found.number) form.setValue('number', found.number)
      if (found.from) form.setValue('from', found.from)
      if (found.to) form.setValue('last', shifted(found.to, -1))
      if (found.deductedKwh !== null) form.setValue('deducted', String(found.deductedKwh))
      if (found.billedKwh !== null) form.setValue('billed', String(found.billedKwh))
      const other = found.prm && !point ? ` Attention\u00a0: son PRM, ${found.prm}, n’est pas l’un des vôtres.` : ''
      setSaid(`Relisez ce qui a été reconnu, complétez, puis vérifiez.${other}`)
    } catch (error) {
      setSaid(explain(error))
    }
  }
  return { said, take, busy: read.isPending }
}

export function CheckForm({ points }: { points: Choice[] }) {
  const form = useForm(points)
  const { said, take, busy } = useReading(form, points)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FileDrop
        label="Choisir la facture en PDF"
        hint="Seuls ses chiffres sont lus&#160;; le fichier n’est pas conservé."
        accept=".pdf"
        disabled={busy}
        onFile={(file) => void take(file)}
      />
      {said && (
        <p role="status" className="text-body">
          {said}
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
