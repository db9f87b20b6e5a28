import { invoices } from '@voisol/contract/invoices'
import { type PaymentRow, payments } from '@voisol/contract/payments'
import { useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { formatDate, formatMoney } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { getTodayInParis } from '../../ui/period/period.ts'
import { centsInputSchema, requiredDayInputSchema } from './form.ts'

type Props = { row: PaymentRow }
const DEPENDENT_QUERIES = [
  payments.list,
  payments.account,
  payments.ofInvoice,
  invoices.list,
  invoices.get,
  invoices.accounts,
]
const UndoForm = z.object({ reason: z.string().trim().min(5, 'Dites pourquoi en quelques mots.').max(500) })
const CREDIT_KINDS = ['receipt', 'writeOff', 'openingCredit']

function UndoDialog({ row, onClose }: Props & { onClose: () => void }) {
  const undo = useAction(payments.undo, DEPENDENT_QUERIES)
  const form = useSchemaForm(UndoForm, {
    defaults: { reason: '' },
    save: async (body) => {
      await undo.run({ params: { id: row.id }, body })
      toast({ title: 'Paiement annulé', description: 'Ce qu’il avait réglé est de nouveau dû.', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={`Annuler les ${formatMoney(row.amount)} du ${formatDate(row.bookedOn)}`}
      description="Le paiement reste écrit, avec son annulation ; ce qu’il avait réglé est de nouveau dû, au centime près."
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="reason" label="Pourquoi" placeholder="Saisi deux fois" />
        <footer className="flex justify-end">
          <Button type="submit" variant="danger" loading={form.formState.isSubmitting}>
            Annuler ce paiement
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

const RefundForm = z.object({ amount: centsInputSchema, bookedOn: requiredDayInputSchema })

function RefundDialog({ row, onClose }: Props & { onClose: () => void }) {
  const refund = useAction(payments.refund, DEPENDENT_QUERIES)
  const form = useSchemaForm(RefundForm, {
    defaults: { amount: String(row.open / 100).replace('.', ','), bookedOn: getTodayInParis() },
    save: async (values) => {
      await refund.run({ body: { creditId: row.id, method: 'transfer', ...values } })
      toast({ title: 'Remboursement enregistré', variant: 'success' })
      onClose()
    },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="narrow"
      title={`Rembourser ${row.buyer.name}`}
      description={`${formatMoney(row.open)} restent de ce paiement. Le virement est à faire à la banque ; il est noté ici.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="amount" label="Montant (€)" inputMode="decimal" />
          <Field form={form} name="bookedOn" label="Viré le" type="date" />
        </div>
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Noter le remboursement
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}

export const PaymentActions = withAccess(payments.undo, ({ row }: Props) => {
  const [open, setOpen] = useState<'undo' | 'refund' | null>(null)
  const close = () => setOpen(null)
  if (row.reversedOn || !CREDIT_KINDS.includes(row.kind)) return null
  return (
    <>
      {row.kind === 'receipt' && row.open > 0 && (
        <Button variant="quiet" size="small" onClick={() => setOpen('refund')}>
          Rembourser
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={() => setOpen('undo')}>
        Annuler
      </Button>
      {open === 'undo' && <UndoDialog row={row} onClose={close} />}
      {open === 'refund' && <RefundDialog row={row} onClose={close} />}
    </>
  )
})
