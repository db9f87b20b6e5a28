import { type DueAccount, HOLD_KIND_LABELS, reminders } from '@voisol/contract/reminders'
import { z } from 'zod'
import { Button } from '../../../components/button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select } from '../../../components/input.tsx'
import { getTodayInParis } from '../../../components/period/period.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatMoney } from '../../../lib/format.ts'
import { useAction } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'

const KIND_OPTIONS = Object.entries(HOLD_KIND_LABELS).map(([value, label]) => ({ value, label }))

/** Why an account is left alone for a while: it is disputed, somebody promised, or pays in parts. */
export default function HoldDialog({ account, onClose }: { account: DueAccount; onClose: () => void }) {
  const hold = useAction(reminders.hold, [reminders.due, reminders.holds])
  const accountParties = { sellerId: account.seller.id, buyerId: account.buyer.id }
  const form = useSchemaForm(HoldForm, {
    defaults: { kind: 'dispute', reason: '', on: getTodayInParis(), count: '3' },
    save: async ({ kind, reason, on, count }) => {
      if (kind === 'dispute') await hold.run({ body: { ...accountParties, kind, reason } })
      else if (kind === 'promise') await hold.run({ body: { ...accountParties, kind, reason, until: on } })
      else
        await hold.run({
          body: { ...accountParties, kind, reason, parts: splitIntoInstalments(account.overdue, Number(count), on) },
        })
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
      description={`${formatMoney(account.overdue)} sont en retard. Rien ne lui est envoyé tant que cela dure.`}
    >
      <form onSubmit={form.submit} noValidate className="grid gap-5">
        <FormErrors form={form} />
        <Field form={form} name="kind" label="Pourquoi">
          {(control) => <Select {...control} options={KIND_OPTIONS} />}
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
                hint={`${formatCount(count, 'fois', 'fois')} ${formatMoney(Math.floor(account.overdue / count))} environ, une par mois.`}
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

const addMonths = (day: string, count: number): string => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + count, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + count, Math.min(date, last))).toISOString().slice(0, 10)
}

/** A sum in equal parts, a month apart: the cents that are left are in the first. */
export function splitIntoInstalments(cents: number, count: number, from: string): { on: string; amount: number }[] {
  const part = Math.floor(cents / count)
  return Array.from({ length: count }, (_, at) => ({
    on: addMonths(from, at),
    amount: at === 0 ? cents - part * (count - 1) : part,
  }))
}

export const HoldForm = z
  .object({
    kind: z.enum(['dispute', 'promise', 'schedule']),
    reason: z.string().trim().max(1000),
    on: z.string(),
    count: z.string(),
  })
  .superRefine(({ kind, reason, on, count }, context) => {
    const addIssue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (kind === 'dispute' && reason.length < 5) addIssue('reason', 'Dites ce qui est contesté, en quelques mots.')
    if (kind !== 'dispute' && !/^\d{4}-\d{2}-\d{2}$/.test(on)) addIssue('on', 'Une date est attendue.')
    if (kind === 'schedule' && !/^([1-9]|[12]\d|3[0-6])$/.test(count)) addIssue('count', 'De 1 à 36 échéances.')
  })
