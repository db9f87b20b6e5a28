import { useQuery } from '@tanstack/react-query'
import { points } from '@voisol/contract/points'
import { Candidate, type ProjectDetail, projects } from '@voisol/contract/projects'
import { CONSUMPTION_PROFILE_LABELS } from '@voisol/energy/model/profiles'
import ClipboardList from 'lucide-react/icons/clipboard-list'
import Plus from 'lucide-react/icons/plus'
import { useId, useMemo, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { z } from 'zod'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { EmptyState } from '../../../components/empty-state.tsx'
import { Field, FormErrors } from '../../../components/field.tsx'
import { FieldFrame, Select, Textarea } from '../../../components/input.tsx'
import { type Column, Table } from '../../../components/table.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatPrm, formatPrm as spaced, toChoices } from '../../../lib/energy-labels.ts'
import { explainError } from '../../../lib/error-text.ts'
import {
  formatNumberInput,
  formatPosition,
  numberInputSchema,
  positionInputSchema,
} from '../../../lib/field-schemas.ts'
import { useSchemaForm } from '../../../lib/form.ts'
import { formatCount, formatKwh } from '../../../lib/format.ts'
import { query } from '../../../lib/queries.ts'
import { toast } from '../../../lib/toast.ts'
import { CANDIDATE_KIND_LABELS } from './labels.ts'
import { type PastedLine, parsePastedCandidates } from './paste-candidates.ts'
import { POSITION_FIELD } from './project-form.ts'
import { type CandidateLine, LineActions, useSaveProject, withLine, withoutLine } from './use-project.tsx'

type CandidateRow = CandidateLine & { id: string; at: number }

const TO_REQUEST = <span className="text-ink-soft">À demander</span>

const columns: Column<CandidateRow>[] = [
  {
    header: 'Candidat',
    cell: ({ name, email }) => (
      <span className="block min-w-40">
        <span className="block font-medium">{name}</span>
        {email && <span className="block text-[0.8125rem] text-ink-soft">{email}</span>}
      </span>
    ),
  },
  {
    header: 'Consommation par an',
    align: 'end',
    cell: ({ yearlyKwh }) => <span className="whitespace-nowrap">{formatKwh(yearlyKwh, 0)}</span>,
  },
  {
    header: 'Profil',
    cell: ({ profile, pointId }) => (
      <span className="block min-w-36">
        {CONSUMPTION_PROFILE_LABELS[profile]}
        {pointId && <span className="block text-[0.8125rem] text-ink-soft">Remplacé par la courbe reçue</span>}
      </span>
    ),
  },
  {
    header: 'PRM',
    cell: ({ prm }) => (prm ? <span className="tabular whitespace-nowrap">{spaced(prm)}</span> : TO_REQUEST),
  },
  {
    header: 'Position',
    cell: ({ latitude }) => (latitude === null ? <span className="text-ink-soft">À préciser</span> : 'Connue'),
  },
]

const describeCandidates = (candidates: CandidateLine[], yearlyKwh: number) => {
  const ready = candidates.filter(({ prm }) => prm !== '').length
  return `${formatCount(candidates.length, 'candidat')}, ${formatKwh(yearlyKwh, 0)} par an. ${formatCount(ready, 'PRM connu', 'PRM connus')} sur ${candidates.length}.`
}

type OpenDialogState = { at: number | null } | 'paste'

const CandidatesDialog = ({
  project,
  open,
  onClose,
}: {
  project: ProjectDetail
  open: OpenDialogState
  onClose: () => void
}) =>
  open === 'paste' ? (
    <PasteDialog project={project} onClose={onClose} />
  ) : (
    <CandidateDialog project={project} at={open.at} onClose={onClose} />
  )

export default function CandidatesTab({ project }: { project: ProjectDetail }) {
  const [open, setOpen] = useState<OpenDialogState | null>(null)
  const { candidates, yearlyKwh } = project
  const actions = useCan()(projects.update) && (
    <>
      <Button variant="secondary" icon={<ClipboardList aria-hidden="true" />} onClick={() => setOpen('paste')}>
        Coller une liste
      </Button>
      <Button icon={<Plus aria-hidden="true" />} onClick={() => setOpen({ at: null })}>
        Ajouter un candidat
      </Button>
    </>
  )
  return (
    <>
      {candidates.length === 0 ? (
        <EmptyState
          title="Aucun candidat"
          why="Ceux qui pourraient rejoindre l’opération&nbsp;: un profil et une consommation annuelle suffisent pour l’étude."
          action={actions && <div className="flex flex-wrap justify-center gap-2">{actions}</div>}
        />
      ) : (
        <Card title="Candidats" description={describeCandidates(candidates, yearlyKwh)} actions={actions}>
          <Table
            label="Candidats"
            rows={candidates.map((candidate, at) => ({ ...candidate, id: String(at), at }))}
            columns={columns}
            rowActions={({ at, name }) => (
              <LineActions
                name={name}
                what="ce candidat"
                project={project}
                without={{ candidates: withoutLine(candidates, at) }}
                onEdit={() => setOpen({ at })}
              />
            )}
          />
        </Card>
      )}
      {open && <CandidatesDialog project={project} open={open} onClose={() => setOpen(null)} />}
    </>
  )
}

const LINE_FORMAT = 'Nom ; Profil ; kWh par an ; PRM ; E-mail ; Latitude ; Longitude'

type Props = { project: ProjectDetail; onClose: () => void }

const formatRefusedCount = (count: number) =>
  count > 0 ? `${formatCount(count, 'ligne refusée, laissée', 'lignes refusées, laissées')} de côté.` : ''

const PastedLinesTable = ({ lines }: { lines: PastedLine[] }) => (
  <Table
    label="Lignes lues"
    rows={lines.map((line) => ({ ...line, id: String(line.line) }))}
    columns={[
      { header: 'Ligne', align: 'end', cell: ({ line }) => line },
      {
        header: 'Résultat',
        cell: ({ candidate }) =>
          candidate ? <Badge tone="success">À ajouter</Badge> : <Badge tone="danger">Refusée</Badge>,
      },
      { header: 'Candidat', cell: ({ candidate, text }) => candidate?.name ?? text.split(/[;\t]/)[0] },
      {
        header: 'Lu comme',
        cell: ({ candidate, message }) => (
          <span className="block min-w-44">
            {candidate
              ? `${CONSUMPTION_PROFILE_LABELS[candidate.profile]}, ${formatKwh(candidate.yearlyKwh, 0)}`
              : message}
          </span>
        ),
      },
    ]}
  />
)

function PasteForm({ project, onClose }: Props) {
  const id = useId()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState('')
  const { save, saving } = useSaveProject(project)
  const lines = useMemo(() => parsePastedCandidates(text, project.candidates), [text, project.candidates])
  const added = lines.flatMap(({ candidate }) => (candidate ? [candidate] : []))
  const add = () =>
    save({ candidates: [...project.candidates, ...added] }).then(
      () => {
        toast({ title: formatCount(added.length, 'candidat ajouté', 'candidats ajoutés'), variant: 'success' })
        onClose()
      },
      (error: unknown) => setProblem(explainError(error)),
    )
  return (
    <div className="grid gap-4 [&>*]:min-w-0">
      <FieldFrame id={id} label="Liste" hint={LINE_FORMAT} error={problem}>
        <Textarea
          id={id}
          rows={6}
          aria-describedby={`${id}-hint`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="max-h-60 font-mono text-[0.8125rem]"
        />
      </FieldFrame>
      {lines.length > 0 && <PastedLinesTable lines={lines} />}
      <div className="flex flex-wrap items-center justify-end gap-3">
        <p role="status" className="text-body text-ink-soft">
          {formatRefusedCount(lines.length - added.length)}
        </p>
        <Button disabled={added.length === 0} loading={saving} onClick={add}>
          Ajouter {formatCount(added.length, 'candidat')}
        </Button>
      </div>
    </div>
  )
}

/** Many candidates at once, from a spreadsheet; nothing is saved before the preview is accepted. */
const PasteDialog = (props: Props) => (
  <Dialog
    title="Coller une liste de candidats"
    description="Copiez les colonnes d’un tableur. Rien n’est enregistré avant votre confirmation."
    width="wide"
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <PasteForm {...props} />
  </Dialog>
)

type CandidateDialogProps = { project: ProjectDetail; at: number | null; onClose: () => void }

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

function CandidateEditForm({ project, at, onClose }: CandidateDialogProps) {
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

const CandidateDialog = (props: CandidateDialogProps) => (
  <Dialog
    title={props.at === null ? 'Ajouter un candidat' : 'Modifier le candidat'}
    open
    onOpenChange={(open) => !open && props.onClose()}
  >
    <CandidateEditForm {...props} />
  </Dialog>
)

const { name, email, kind, prm, profile, pointId } = Candidate.shape

const CandidateForm = z.object({
  name,
  email,
  kind,
  prm,
  profile,
  yearlyKwh: numberInputSchema({ min: 0, max: 100_000_000 }),
  /** A select knows no null. */
  pointId: z.union([z.literal('').transform(() => null), pointId]),
  position: positionInputSchema,
})

const NEW_CANDIDATE: z.input<typeof CandidateForm> = {
  name: '',
  email: '',
  kind: 'person',
  prm: '',
  profile: 'household',
  yearlyKwh: '',
  pointId: '',
  position: '',
}
const toCandidateForm = (candidate: CandidateLine): z.input<typeof CandidateForm> => ({
  name: candidate.name,
  email: candidate.email,
  kind: candidate.kind,
  profile: candidate.profile,
  prm: spaced(candidate.prm),
  yearlyKwh: formatNumberInput(candidate.yearlyKwh),
  pointId: candidate.pointId ?? '',
  position: formatPosition(candidate),
})
const toCandidate = ({ position, ...values }: z.output<typeof CandidateForm>): CandidateLine => ({
  ...values,
  ...position,
})
