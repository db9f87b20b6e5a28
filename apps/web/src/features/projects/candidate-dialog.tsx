import { useQuery } from '@tanstack/react-query'
import { points } from '@voisol/contract/points'
import type { ProjectDetail } from '@voisol/contract/projects'
import { CONSUMPTION_PROFILE_LABELS } from '@voisol/energy/model/profiles'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { withAccess } from '../../lib/can.tsx'
import { formatPrm, toChoices } from '../../lib/energy-labels.ts'
import { useSchemaForm } from '../../lib/form.ts'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { FormErrors } from '../../ui/form-errors.tsx'
import { Select } from '../../ui/select.tsx'
import { withLine } from './body.ts'
import { CandidateForm, NEW_CANDIDATE, toCandidate, toCandidateForm } from './candidate-form.ts'
import { CANDIDATE_KIND_LABELS } from './labels.ts'
import { POSITION_FIELD } from './position-field.ts'
import { useSaveProject } from './use-project.ts'

type Props = { project: ProjectDetail; at: number | null; onClose: () => void }

/** The company's own points, whose readings may stand for a profile. */
function useCurveOptions() {
  const { data } = useQuery(query(points.list, { query: { direction: 'consumption', size: 1000 } }))
  return (data?.items ?? []).map(({ id, prm: digits, label }) => ({
    value: id,
    label: [formatPrm(digits), label].filter(Boolean).join(' · '),
  }))
}

type CandidateFormApi = Pick<
  UseFormReturn<z.input<typeof CandidateForm>, unknown, z.output<typeof CandidateForm>>,
  'register' | 'formState'
>

const CurveField = withAccess(points.list, ({ form }: { form: CandidateFormApi }) => {
  const curves = useCurveOptions()
  if (!curves.length) return null
  return (
    <Field
      form={form}
      name="pointId"
      label="Courbe reçue"
      hint="Si douze mois sont connus à 80&nbsp;% au moins, ils remplacent le profil."
    >
      {(control) => <Select {...control} options={[{ value: '', label: 'Aucune, suivre le profil' }, ...curves]} />}
    </Field>
  )
})

const CandidateFields = ({ form }: { form: CandidateFormApi }) => (
  <>
    <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
      <Field form={form} name="name" label="Nom" autoComplete="off" />
      <Field form={form} name="kind" label="Nature">
        {(control) => <Select {...control} options={toChoices(CANDIDATE_KIND_LABELS)} />}
      </Field>
    </div>
    <div className="grid gap-4 sm:grid-cols-2">
      <Field form={form} name="profile" label="Profil de consommation">
        {(control) => <Select {...control} options={toChoices(CONSUMPTION_PROFILE_LABELS)} />}
      </Field>
      <Field form={form} name="yearlyKwh" label="Consommation annuelle (kWh)" inputMode="numeric" autoComplete="off" />
    </div>
    <CurveField form={form} />
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        form={form}
        name="prm"
        label="PRM"
        hint="Quatorze chiffres."
        inputMode="numeric"
        autoComplete="off"
        optional
      />
      <Field
        form={form}
        name="email"
        label="E-mail"
        hint="Pour l’inviter plus tard."
        type="email"
        autoComplete="off"
        optional
      />
    </div>
    <Field form={form} name="position" {...POSITION_FIELD} />
  </>
)

function CandidateEditForm({ project, at, onClose }: Props) {
  const { save } = useSaveProject(project)
  const candidate = at === null ? undefined : project.candidates[at]
  const form = useSchemaForm(CandidateForm, {
    defaults: candidate ? toCandidateForm(candidate) : NEW_CANDIDATE,
    save: async (value) => {
      await save({ candidates: withLine(project.candidates, at, toCandidate(value)) })
      onClose()
    },
  })
  return (
    <form onSubmit={form.submit} noValidate className="grid gap-4">
      <FormErrors form={form} />
      <CandidateFields form={form} />
      <Button type="submit" className="justify-self-end" loading={form.formState.isSubmitting}>
        {candidate ? 'Enregistrer le candidat' : 'Ajouter le candidat'}
      </Button>
    </form>
  )
}

export const CandidateDialog = (props: Props) => (
  <Dialog
    title={props.at === null ? 'Ajouter un candidat' : 'Modifier le candidat'}
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <CandidateEditForm {...props} />
  </Dialog>
)
