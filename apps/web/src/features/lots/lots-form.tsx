import { type LotSpread, LotsUpdate, lots, MAX_LOTS, SPREAD_LABELS, SpreadBy } from '@voisol/contract/lots'
import { useState } from 'react'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { formatCount, formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { formatLots, parseLots } from './written.ts'

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
export function LotsEditor({ spread, onDone }: { spread: LotSpread; onDone: () => void }) {
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
