import { books, NewDoubtfulDebt } from '@voisol/contract/books'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Textarea } from '../../../components/input.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { numberInputSchema } from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const DoubtForm = z.object({
  invoiceId: z.string(),
  lost: numberInputSchema({ min: 0, max: 100, scale: 100 }),
  bookedOn: NewDoubtfulDebt.shape.bookedOn,
  reason: NewDoubtfulDebt.shape.reason,
})
type Props = { sellerId: string; invoiceId: string; onClose: () => void }

/** Sets a claim apart in 416, and provides for what is thought lost of it. */
export default function DoubtDialog({ sellerId, invoiceId, onClose }: Props) {
  const add = useAction(books.addDoubt, [books.doubts, books.entries, books.months, books.balance, books.ties])
  const form = useSchemaForm(DoubtForm, {
    defaults: { invoiceId, lost: '50', bookedOn: getTodayInParis(), reason: '' },
    save: async ({ lost, bookedOn, reason }) => {
      await add.run({ params: { sellerId }, body: { invoiceId, lostBp: lost, bookedOn, reason } })
      toast({ title: 'Créance déclarée douteuse', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Créance douteuse"
      description="Ce qui reste dû passe au compte des clients douteux ; la perte probable, hors taxes, est dépréciée."
    >
      <form onSubmit={form.submit} noValidate className="grid gap-4">
        <FormErrors form={form} />
        <Field form={form} name="lost" label="Perte probable (%)" inputMode="decimal" />
        <Field form={form} name="bookedOn" label="Date" type="date" />
        <Field form={form} name="reason" label="Motif">
          {(control) => <Textarea {...control} rows={3} />}
        </Field>
        <div className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Déclarer douteuse
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
