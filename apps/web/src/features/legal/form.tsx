import { isAsked, LegalForm, type LegalNotice, legal } from '@voisol/contract/legal'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { labelOf } from './labels.ts'

const Body = legal.save.body
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const FORMS = LegalForm.options.map((value) => ({ value, label: value ? capital(value) : 'À choisir' }))

function useNoticeForm(notice: LegalNotice, version: number) {
  const save = useAction(legal.save, [legal.get])
  return useSchemaForm(Body, {
    defaults: { ...notice, version },
    save: async (body) => {
      const { missing } = await save.run({ body })
      const description = missing.length ? 'Des informations manquent encore.' : 'La page publique est complète.'
      toast({ title: 'Mentions légales enregistrées', description, variant: 'success' })
    },
  })
}
type Form = ReturnType<typeof useNoticeForm>
type Named = Parameters<typeof labelOf>[0]

const Line = ({ form, name, hint, optional }: { form: Form; name: Named; hint?: string; optional?: boolean }) => (
  <Field form={form} name={name} label={labelOf(name)} hint={hint} optional={optional} />
)
const Lines = ({ form, name }: { form: Form; name: Named }) => (
  <Field form={form} name={name} label={labelOf(name)}>
    {(control) => <Textarea {...control} rows={2} />}
  </Field>
)

const Publisher = ({ form, chosen }: { form: Form; chosen: LegalNotice }) => (
  <Card title="Éditeur">
    <div className="grid gap-4">
      <Line form={form} name="publisher" />
      <Field form={form} name="legalForm" label={labelOf('legalForm')}>
        {(control) => <Select {...control} options={FORMS} />}
      </Field>
      <Line form={form} name="capital" hint="Par exemple 37 450 €." optional={!isAsked(chosen, 'capital')} />
      <Line form={form} name="siren" hint="Neuf chiffres ; les espaces sont acceptés." />
      <Line form={form} name="registry" hint="Par exemple RCS Lyon." optional={!isAsked(chosen, 'registry')} />
      <Line form={form} name="vatNumber" optional />
      <Lines form={form} name="address" />
      <Line form={form} name="email" />
      <Line form={form} name="phone" />
      <Line form={form} name="director" />
    </div>
  </Card>
)

const Host = ({ form }: { form: Form }) => (
  <Card title="Hébergeur">
    <div className="grid gap-4">
      <Line form={form} name="hostName" />
      <Lines form={form} name="hostAddress" />
      <Line form={form} name="hostPhone" />
    </div>
  </Card>
)

const Asked = ({ form, chosen }: { form: Form; chosen: LegalNotice }) => (
  <Card title="Selon votre situation">
    <div className="grid gap-4">
      <Checkbox label={labelOf('hasOfficer')} {...form.register('hasOfficer')} />
      {chosen.hasOfficer && <Line form={form} name="officer" />}
      <Checkbox label={labelOf('sellsToConsumers')} {...form.register('sellsToConsumers')} />
      {chosen.sellsToConsumers && <Line form={form} name="mediator" />}
    </div>
  </Card>
)

/** Saved as far as it goes: what is missing is named above, here and on the page. */
export function NoticeForm({ notice, version }: { notice: LegalNotice; version: number }) {
  const form = useNoticeForm(notice, version)
  const chosen = { ...notice, ...form.watch() }
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-3xl gap-6">
      <FormErrors form={form} />
      <Publisher form={form} chosen={chosen} />
      <Host form={form} />
      <Asked form={form} chosen={chosen} />
      <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
        Enregistrer les mentions légales
      </Button>
    </form>
  )
}
