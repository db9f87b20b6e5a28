import { type LotSpread, LotsUpdate, lots, MOST_LOTS, SPREAD_WORDS, SpreadBy } from '@voisol/contract/lots'
import { useState } from 'react'
import { z } from 'zod'
import { useSchemaForm } from '../../lib/form.ts'
import { number, plural } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { lotsText, lotsWritten } from './written.ts'

const MOST_SAID = 5
const LotsForm = z
  .object({ by: SpreadBy, text: z.string().max(MOST_LOTS * 300) })
  .superRefine(({ by, text }, context) => {
    const { lots: own, faults } = lotsWritten(text)
    for (const message of faults.slice(0, MOST_SAID)) context.addIssue({ code: 'custom', path: ['text'], message })
    if (faults.length > 0) return
    const read = LotsUpdate.safeParse({ by, lots: own, version: 0 })
    for (const { message } of read.error?.issues.slice(0, 1) ?? [])
      context.addIssue({ code: 'custom', path: ['text'], message })
  })
const CHOICES = SpreadBy.options.map((value) => ({ value, label: SPREAD_WORDS[value] }))

/** Who bears the charge of a buyer: pasted as it stands in the co-ownership's own table. */
export function LotsEditor({ spread, onDone }: { spread: LotSpread; onDone: () => void }) {
  const save = useAction(lots.save, [lots.list, lots.get, lots.charges])
  const [known] = useState(spread)
  const form = useSchemaForm(LotsForm, {
    defaults: { by: known.by, text: lotsText(known.lots) },
    save: async ({ by, text }) => {
      const body = { by, lots: lotsWritten(text).lots, version: known.version }
      await save.run({ params: { id: known.buyer.id }, body })
      toast({ title: 'Lots enregistrés', description: known.buyer.name, variant: 'success' })
      onDone()
    },
  })
  const { lots: own } = lotsWritten(form.watch('text'))
  const shares = own.reduce((sum, lot) => sum + lot.shares, 0)
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <Field form={form} name="by" label="Répartition">
        {(control) => <Select {...control} options={CHOICES} />}
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
        {`${plural(own.length, 'lot lu', 'lots lus')}, ${number(shares)} tantièmes.`}
      </p>
      <Button type="submit" loading={form.formState.isSubmitting} className="justify-self-end">
        Enregistrer les lots
      </Button>
    </form>
  )
}
