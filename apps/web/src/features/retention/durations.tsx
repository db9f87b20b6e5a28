import { type Retention, retention } from '@voisol/contract/retention'
import { formatMonths, RETENTION_KINDS, RETENTION_RULES, type RetentionKind } from '@voisol/contract/retention-kinds'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { buildDurationOptions, DurationsForm } from './form.ts'

/** What the law says of a kind, why not less, and what is left of it. */
const LegalBasis = ({ kind }: { kind: RetentionKind }) => {
  const { law, bound, remains, since } = RETENTION_RULES[kind]
  return (
    <div className="grid content-start gap-1 text-[0.8125rem] text-ink-soft">
      <p>Compté depuis {since}.</p>
      <p>{law}.</p>
      <p>{bound}</p>
      <p>
        <span className="font-medium text-ink">Il en reste&nbsp;: </span>
        {remains}
      </p>
    </div>
  )
}

export function DurationsEditor({ data }: { data: Retention }) {
  const update = useAction(retention.update, [retention.get])
  const form = useSchemaForm(DurationsForm, {
    defaults: {
      // Every kind has its months.
      months: Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, String(data.months[kind])])) as Record<
        RetentionKind,
        string
      >,
      reason: '',
      seal: data.seal,
    },
    save: async (body) => {
      await update.run({ body })
      toast({
        title: 'Durées enregistrées',
        description: 'Regardez ce qu’elles suppriment avant de l’accepter.',
        variant: 'success',
      })
    },
  })
  return (
    <Card title="Durées de conservation" description="Chacune dans les bornes de la loi, qui est dite à côté.">
      <form onSubmit={form.submit} noValidate className="grid gap-6">
        <FormErrors form={form} />
        {RETENTION_KINDS.map((kind) => (
          <div key={kind} className="grid gap-x-8 gap-y-2 border-b border-line pb-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
            <Field form={form} name={`months.${kind}`} label={RETENTION_RULES[kind].label}>
              {(control) => <Select {...control} options={buildDurationOptions(kind, data.months[kind] ?? 0)} />}
            </Field>
            <LegalBasis kind={kind} />
          </div>
        ))}
        <div className="grid max-w-2xl gap-4">
          <Field form={form} name="reason" label="Raison du changement" hint="Elle reste au dossier avec la date." />
          <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
            Enregistrer les durées
          </Button>
        </div>
      </form>
    </Card>
  )
}

export const DurationsFacts = ({ data }: { data: Retention }) => (
  <Card title="Durées de conservation">
    <dl className="grid gap-5">
      {RETENTION_KINDS.map((kind) => (
        <div key={kind} className="grid gap-x-8 gap-y-1 lg:grid-cols-[22rem_minmax(0,1fr)]">
          <dt className="font-medium">
            {RETENTION_RULES[kind].label}&nbsp;: {formatMonths(data.months[kind] ?? 0)}
          </dt>
          <dd>
            <LegalBasis kind={kind} />
          </dd>
        </div>
      ))}
    </dl>
  </Card>
)
