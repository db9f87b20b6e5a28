import { isRequiredField, LegalForm, type LegalNotice, legal } from '@voisol/contract/legal'
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
import { getLegalFieldLabel } from './labels.ts'

const LegalNoticeBody = legal.save.body
const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
const LEGAL_FORM_OPTIONS = LegalForm.options.map((value) => ({ value, label: value ? capitalize(value) : 'À choisir' }))

function useNoticeForm(notice: LegalNotice, version: number) {
  const save = useAction(legal.save, [legal.get])
  return useSchemaForm(LegalNoticeBody, {
    defaults: { ...notice, version },
    save: async (body) => {
      const { missing } = await save.run({ body })
      const description = missing.length ? 'Des informations manquent encore.' : 'La page publique est complète.'
      toast({ title: 'Mentions légales enregistrées', description, variant: 'success' })
    },
  })
}
type Form = ReturnType<typeof useNoticeForm>
type LegalFieldName = Parameters<typeof getLegalFieldLabel>[0]

const TextField = ({
  form,
  name,
  hint,
  optional,
}: {
  form: Form
  name: LegalFieldName
  hint?: string
  optional?: boolean
}) => <Field form={form} name={name} label={getLegalFieldLabel(name)} hint={hint} optional={optional} />
const MultilineField = ({ form, name }: { form: Form; name: LegalFieldName }) => (
  <Field form={form} name={name} label={getLegalFieldLabel(name)}>
    {(control) => <Textarea {...control} rows={2} />}
  </Field>
)

const PublisherCard = ({ form, chosen }: { form: Form; chosen: LegalNotice }) => (
  <Card title="Éditeur">
    <div className="grid gap-4">
      <TextField form={form} name="publisher" />
      <Field form={form} name="legalForm" label={getLegalFieldLabel('legalForm')}>
        {(control) => <Select {...control} options={LEGAL_FORM_OPTIONS} />}
      </Field>
      <TextField
        form={form}
        name="capital"
        hint="Par exemple 37 450 €."
        optional={!isRequiredField(chosen, 'capital')}
      />
      <TextField form={form} name="siren" hint="Neuf chiffres ; les espaces sont acceptés." />
      <TextField
        form={form}
        name="registry"
        hint="Par exemple RCS Lyon."
        optional={!isRequiredField(chosen, 'registry')}
      />
      <TextField form={form} name="vatNumber" optional />
      <MultilineField form={form} name="address" />
      <TextField form={form} name="email" />
      <TextField form={form} name="phone" />
      <TextField form={form} name="director" />
    </div>
  </Card>
)

const HostCard = ({ form }: { form: Form }) => (
  <Card title="Hébergeur">
    <div className="grid gap-4">
      <TextField form={form} name="hostName" />
      <MultilineField form={form} name="hostAddress" />
      <TextField form={form} name="hostPhone" />
    </div>
  </Card>
)

const SituationCard = ({ form, chosen }: { form: Form; chosen: LegalNotice }) => (
  <Card title="Selon votre situation">
    <div className="grid gap-4">
      <Checkbox label={getLegalFieldLabel('hasOfficer')} {...form.register('hasOfficer')} />
      {chosen.hasOfficer && <TextField form={form} name="officer" />}
      <Checkbox label={getLegalFieldLabel('sellsToConsumers')} {...form.register('sellsToConsumers')} />
      {chosen.sellsToConsumers && <TextField form={form} name="mediator" />}
    </div>
  </Card>
)

/** Saved as far as it goes: what is missing is named above, here and on the page. */
export function LegalNoticeForm({ notice, version }: { notice: LegalNotice; version: number }) {
  const form = useNoticeForm(notice, version)
  const chosen = { ...notice, ...form.watch() }
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-3xl gap-6">
      <FormErrors form={form} />
      <PublisherCard form={form} chosen={chosen} />
      <HostCard form={form} />
      <SituationCard form={form} chosen={chosen} />
      <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
        Enregistrer les mentions légales
      </Button>
    </form>
  )
}
