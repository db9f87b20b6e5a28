import type { ProjectDetail } from '@voisol/contract/projects'
import type { UseFormReturn } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { z } from 'zod'
import { Button, ButtonLink } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { Select, Textarea } from '../../../components/input.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { PriceField } from '../../../components/price-field.tsx'
import { ALLOCATION_METHOD_LABELS, PERIMETER_LABELS, toChoices, ZONE_LABELS } from '../../../lib/energy-labels.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { useParentName } from '../../../lib/object-names.ts'
import { toast } from '../../../lib/toast.ts'
import { ProjectIdentityFields } from './identity-fields.tsx'
import { ProjectEditForm, toProjectChange, toProjectEditForm } from './project-form.ts'
import { ProjectLoader, useSaveProject } from './use-project.tsx'

function EditProjectForm({ project }: { project: ProjectDetail }) {
  const navigate = useNavigate()
  const { save } = useSaveProject(project)
  const projectPath = `/projects/${project.id}`
  useParentName(project.name, projectPath)
  const form = useSchemaForm(ProjectEditForm, {
    defaults: toProjectEditForm(project),
    save: async (value) => {
      await save(toProjectChange(value))
      toast({ title: 'Projet enregistré', variant: 'success' })
      await navigate(projectPath)
    },
  })
  const identity = form as never // it holds every field of the short form, by the same names
  return (
    <form onSubmit={form.submit} noValidate className="grid max-w-3xl gap-6">
      <FormErrors form={form} />
      <Card title="Identité et lieu">
        <div className="grid gap-4">
          <ProjectIdentityFields form={identity} />
          <Field form={form} name="description" label="Description" optional>
            {(control) => <Textarea {...control} rows={3} />}
          </Field>
        </div>
      </Card>
      <RulesFields form={form} />
      <PriceFields form={form} />
      <footer className="flex flex-wrap justify-end gap-2">
        <ButtonLink variant="secondary" to={projectPath}>
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
    <ProjectLoader title="Modifier le projet">
      {(project) => (
        <>
          <PageHeader title="Modifier le projet" description={project.name} />
          <EditProjectForm key={project.id} project={project} />
        </>
      )}
    </ProjectLoader>
  )
}

type Form = Pick<
  UseFormReturn<z.input<typeof ProjectEditForm>, unknown, z.output<typeof ProjectEditForm>>,
  'register' | 'formState' | 'control'
>

const { default: byNeed, equal, priority, static: fixed } = ALLOCATION_METHOD_LABELS
const STUDY_METHODS = { default: byNeed, equal, priority, static: fixed }

const RulesFields = ({ form }: { form: Form }) => (
  <Card title="Règles" description="Ce que la réglementation permet, et comment l’énergie serait partagée.">
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        <Field form={form} name="perimeter" label="Périmètre">
          {(control) => <Select {...control} options={toChoices(PERIMETER_LABELS)} />}
        </Field>
        <Field form={form} name="zone" label="Zone">
          {(control) => <Select {...control} options={toChoices(ZONE_LABELS)} />}
        </Field>
      </div>
      <Field
        form={form}
        name="method"
        label="Clé de répartition"
        hint="Dans l’étude, les parts fixes suivent la consommation annuelle, et les rangs l’ordre de la liste des candidats."
      >
        {(control) => <Select {...control} options={toChoices(STUDY_METHODS)} />}
      </Field>
    </div>
  </Card>
)

const PRICE_FIELDS = [
  ['localPrice', 'Énergie locale, en c€/kWh', 'Payée au producteur.'],
  ['gridPrice', 'Réseau, en c€/kWh', 'Payé au fournisseur.'],
  ['surplusPrice', 'Surplus, en c€/kWh', 'Payé par l’acheteur.'],
] as const
const COST_FIELDS = [
  ['investmentPerKwc', 'Investissement', '€ par kWc installé.'],
  ['yearlyCosts', 'Charges annuelles', '€ par an\u00a0: entretien, assurance, gestion.'],
] as const

const PriceInputs = ({ form }: { form: Form }) =>
  PRICE_FIELDS.map(([name, label, hint]) => <PriceField key={name} form={form} name={name} label={label} hint={hint} />)

const CostInputs = ({ form }: { form: Form }) =>
  COST_FIELDS.map(([name, label, hint]) => (
    <Field key={name} form={form} name={name} label={label} hint={hint} inputMode="decimal" autoComplete="off" />
  ))

const PriceFields = ({ form }: { form: Form }) => (
  <Card
    title="Prix et coûts"
    description="Hors taxes. L’étude en tire les économies, les recettes et le temps de retour."
  >
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <PriceInputs form={form} />
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <CostInputs form={form} />
      </div>
    </div>
  </Card>
)
