import { ADD_ONS } from '@voisol/contract/plan-prices'
import { Day, Version } from '@voisol/contract/primitives'
import { type Subscriber, subscription } from '@voisol/contract/subscription'
import { PlanPeriod } from '@voisol/contract/subscription-words'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { numberInputSchema } from '../../lib/typed-fields.ts'
import { Button } from '../../ui/button.tsx'
import { DateField } from '../../ui/date-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'

type Props = { row: Subscriber }
type FormProps = Props & { onDone: () => void }

const ExtendFormSchema = z.object({ lastDay: Day, version: Version })

function ExtendForm({ row, onDone }: FormProps) {
  const extend = useAction(subscription.extend, [subscription.companies])
  const form = useSchemaForm(ExtendFormSchema, {
    defaults: { lastDay: row.trialEndsAt?.slice(0, 10) ?? '', version: row.version },
    save: async (body) => {
      await extend.run({ params: { companyId: row.companyId }, body })
      toast({ title: 'Essai prolongé', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="lastDay" label="Dernier jour de l’essai">
        {(control) => <DateField control={control} />}
      </Field>
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        Prolonger l’essai
      </Button>
    </form>
  )
}

const GrantFormSchema = z.object({
  period: PlanPeriod,
  euros: numberInputSchema({ min: 1, max: 1_000_000 }),
  version: Version,
})
const PERIOD_OPTIONS = [
  { value: 'month', label: 'Par mois' },
  { value: 'year', label: 'Par an' },
]

function GrantForm({ row, onDone }: FormProps) {
  const grant = useAction(subscription.grant, [subscription.companies])
  const form = useSchemaForm(GrantFormSchema, {
    defaults: { period: 'year', euros: '', version: row.version },
    save: async ({ euros, ...body }) => {
      await grant.run({ params: { companyId: row.companyId }, body: { ...body, price: Math.round(euros * 100) } })
      toast({ title: 'Formule Enterprise ouverte', variant: 'success' })
      onDone()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-5">
      <FormErrors form={form} />
      <Field form={form} name="euros" label="Prix convenu, en euros hors taxes" inputMode="decimal" />
      <Field form={form} name="period" label="Période">
        {(control) => <Select {...control} options={PERIOD_OPTIONS} />}
      </Field>
      <p className="text-body text-ink-soft">
        La facture est émise à la confirmation&nbsp;; ce qui reste payé de la formule en cours en est déduit.
      </p>
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        Ouvrir la formule et facturer
      </Button>
    </form>
  )
}

function DialogButton({
  label,
  name,
  form: Form,
  row,
}: Props & { label: string; name: string; form: (props: FormProps) => ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" size="small" aria-label={`${label} pour ${name}`} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {open && (
        <Dialog title={`${label}\u00a0: ${name}`} width="narrow" open onOpenChange={setOpen}>
          <Form row={row} onDone={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  )
}

export const ExtendTrialButton = withAccess(subscription.extend, ({ row }: Props) => (
  <DialogButton label="Prolonger l’essai" name={row.name} form={ExtendForm} row={row} />
))
export const GrantPlanButton = withAccess(subscription.grant, ({ row }: Props) => (
  <DialogButton label="Ouvrir Enterprise" name={row.name} form={GrantForm} row={row} />
))

export const DeliverAddOnButtons = withAccess(subscription.deliver, ({ row }: Props) => {
  const deliver = useAction(subscription.deliver, [subscription.companies])
  return row.addOns
    .filter(({ state }) => state === 'ordered')
    .map(({ id, kind }) => (
      <Button
        key={id}
        variant="quiet"
        size="small"
        loading={deliver.isPending}
        onClick={() => deliver.run({ params: { companyId: row.companyId, id } })}
      >
        {`${ADD_ONS[kind].name} réalisée`}
      </Button>
    ))
})
