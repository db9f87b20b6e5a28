import { type DueAccount, HOLD_WORDS, reminders } from '@voisol/contract/reminders'
import { useSchemaForm } from '../../lib/form.ts'
import { money, plural } from '../../lib/format.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { todayInParis } from '../../ui/period/period.ts'
import { Select } from '../../ui/select.tsx'
import { HoldForm, partsOf } from './hold-form.ts'

const KINDS = Object.entries(HOLD_WORDS).map(([value, label]) => ({ value, label }))

/** Why an account is left alone for a while: it is disputed, somebody promised, or pays in parts. */
export default function HoldDialog({ account, onClose }: { account: DueAccount; onClose: () => void }) {
  const hold = useAction(reminders.hold, [reminders.due, reminders.holds])
  const whose = { sellerId: account.seller.id, buyerId: account.buyer.id }
  const form = useSchemaForm(HoldForm, {
    defaults: { kind: 'dispute', reason: '', on: todayInParis(), count: '3' },
    save: async ({ kind, reason, on, count }) => {
      if (kind === 'dispute') await hold.run({ body: { ...whose, kind, reason } })
      else if (kind === 'promise') await hold.run({ body: { ...whose, kind, reason, until: on } })
      else await hold.run({ body: { ...whose, kind, reason, parts: partsOf(account.overdue, Number(count), on) } })
      toast({ title: 'Relances suspendues', description: account.buyer.name, variant: 'success' })
      onClose()
    },
  })
  const kind = form.watch('kind')
  const count = Number(form.watch('count')) || 1
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Suspendre les relances de ${account.buyer.name}`}
      description={`${money(account.overdue)} sont en retard. Rien ne lui est envoyé tant que cela dure.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="kind" label="Pourquoi">
          {(control) => <Select {...control} options={KINDS} />}
        </Field>
        <Field
          form={form}
          name="reason"
          label={kind === 'dispute' ? 'Ce qui est contesté' : 'Note'}
          optional={kind !== 'dispute'}
        />
        {kind !== 'dispute' && (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              form={form}
              name="on"
              label={kind === 'promise' ? 'Promis pour le' : 'Première échéance'}
              type="date"
            />
            {kind === 'schedule' && (
              <Field
                form={form}
                name="count"
                label="Nombre d’échéances"
                inputMode="numeric"
                hint={`${plural(count, 'fois', 'fois')} ${money(Math.floor(account.overdue / count))} environ, une par mois.`}
              />
            )}
          </div>
        )}
        <footer className="flex justify-end">
          <Button type="submit" loading={form.formState.isSubmitting}>
            Suspendre les relances
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
