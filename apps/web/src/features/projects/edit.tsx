import type { ProjectDetail } from '@voisol/contract/projects'
import { useNavigate } from 'react-router'
import { choices, METHODS, PERIMETERS, ZONES } from '../../lib/energy-labels.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { Textarea } from '../../ui/textarea.tsx'
import { changeOf, EditForm, editValues } from './form.ts'
import { IdentityFields } from './identity-fields.tsx'
import { WithProject } from './load.tsx'
import { useSave } from './use-project.ts'

const { default: byNeed, equal, priority, static: fixed } = METHODS
const STUDY_METHODS = { default: byNeed, equal, priority, static: fixed }

function Form({ project }: { project: ProjectDetail }) {
  const navigate = useNavigate()
  const { save } = useSave(project)
  const back = `/projects/${project.id}`
  const form = useSchemaForm(EditForm, {
    defaults: editValues(project),
    save: async (value) => {
      await save(changeOf(value))
      toast({ title: 'Projet enregistré', variant: 'success' })
      await navigate(back)
    },
  })
  const priceField = (name: 'localPrice' | 'gridPrice' | 'surplusPrice', label: string, hint: string) => (
    <Field form={form} name={name} label={label} hint={hint} inputMode="decimal" autoComplete="off" />
  )
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-3xl gap-6">
      <FormErrors form={form} />
      <Card title="Identité et lieu">
        <div className="grid gap-4">
          {/* The form holds every field of the short one. */}
          <IdentityFields form={form as never} />
          <Field form={form} name="description" label="Description" optional>
            {(control) => <Textarea {...control} rows={3} />}
          </Field>
        </div>
      </Card>
      <Card title="Règles" description="Ce que la réglementation permet, et comment l’énergie serait partagée.">
        <div className="grid gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field form={form} name="perimeter" label="Périmètre">
              {(control) => <Select {...control} options={choices(PERIMETERS)} />}
            </Field>
            <Field form={form} name="zone" label="Zone">
              {(control) => <Select {...control} options={choices(ZONES)} />}
            </Field>
          </div>
          <Field
            form={form}
            name="method"
            label="Clé de répartition"
            hint="Dans l’étude, les parts fixes suivent la consommation annuelle, et les rangs l’ordre de la liste des candidats."
          >
            {(control) => <Select {...control} options={choices(STUDY_METHODS)} />}
          </Field>
        </div>
      </Card>
      <Card
        title="Prix et coûts"
        description="Hors taxes. L’étude en tire les économies, les recettes et le temps de retour."
      >
        <div className="grid gap-4">
          <div className="grid gap-4 sm:grid-cols-3">
            {priceField('localPrice', 'Énergie locale', '€ par kWh, au producteur.')}
            {priceField('gridPrice', 'Réseau', '€ par kWh, au fournisseur.')}
            {priceField('surplusPrice', 'Surplus', '€ par kWh, par l’acheteur.')}
          </div>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              form={form}
              name="investmentPerKwc"
              label="Investissement"
              hint="€ par kWc installé."
              inputMode="decimal"
            />
            <Field
              form={form}
              name="yearlyCosts"
              label="Charges annuelles"
              hint="€ par an&nbsp;: entretien, assurance, gestion."
              inputMode="decimal"
            />
          </div>
        </div>
      </Card>
      <footer className="flex flex-wrap justify-end gap-2">
        <ButtonLink variant="secondary" to={back}>
          Annuler
        </ButtonLink>
        <Button type="submit" loading={form.formState.isSubmitting}>
          Enregistrer le projet
        </Button>
      </footer>
    </form>
  )
}

export default function EditProject() {
  return (
    <WithProject title="Modifier le projet">
      {(project) => (
        <>
          <PageHeader title="Modifier le projet" description={project.name} />
          <Form key={project.id} project={project} />
        </>
      )}
    </WithProject>
  )
}
