import { type Company, CompanyUpdate, companies } from '@voisol/contract/companies'
import { useSchemaForm } from '../../lib/form.ts'
import { useAction } from '../../lib/queries.ts'
import { refreshUser } from '../../lib/session.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Textarea } from '../../ui/textarea.tsx'

export function CompanyForm({ company }: { company: Company }) {
  const update = useAction(companies.update, [companies.get])
  const { name, legalName, siren, address, email, phone, version } = company
  const form = useSchemaForm(CompanyUpdate, {
    defaults: { name, legalName, siren, address, email, phone, version },
    save: async (body) => {
      await update.run({ params: { companyId: company.id }, body })
      await refreshUser()
      toast({ title: 'Organisation enregistrée', variant: 'success' })
    },
  })
  return (
    <Card
      title="Identité de l’organisation"
      description="Ces informations figurent sur les documents remis aux participants."
    >
      <form onSubmit={form.submit} noValidate className="grid max-w-2xl gap-4">
        <FormErrors form={form} />
        <Field form={form} name="name" label="Nom affiché" />
        <Field form={form} name="legalName" label="Dénomination légale" optional />
        <Field
          form={form}
          name="siren"
          label="SIREN"
          hint="Neuf chiffres&nbsp;; les espaces sont acceptés."
          inputMode="numeric"
          optional
        />
        <Field form={form} name="address" label="Adresse" optional>
          {(control) => <Textarea {...control} rows={3} />}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field form={form} name="email" label="Adresse e-mail de contact" type="email" optional />
          <Field form={form} name="phone" label="Téléphone" type="tel" optional />
        </div>
        <Button type="submit" className="justify-self-start" loading={form.formState.isSubmitting}>
          Enregistrer l’organisation
        </Button>
      </form>
    </Card>
  )
}
