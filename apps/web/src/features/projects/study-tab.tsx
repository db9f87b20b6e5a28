import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Calculator from 'lucide-react/icons/calculator'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { Can, useCan, withAccess } from '../../lib/can.tsx'
import { ALLOCATION_METHOD_LABELS } from '../../lib/energy-labels.ts'
import { formatDateTime } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SeasonDays } from './season-days.tsx'
import { StudyFigures } from './study-figures.tsx'
import { StudyMonths } from './study-months.tsx'
import { StudyParticipants } from './study-participants.tsx'
import { createFailureHandler, useStudyProject } from './use-project.ts'

type Props = { project: ProjectDetail }

const RunStudyButton = withAccess(projects.study, ({ project, again }: Props & { again: boolean }) => {
  const study = useStudyProject()
  const run = () =>
    study
      .run({ params: { id: project.id } })
      .then(() => toast({ title: 'Étude terminée', variant: 'success' }))
      .catch(createFailureHandler('Étude impossible'))
  return (
    <Button
      variant={again && !project.studyStale ? 'secondary' : 'primary'}
      icon={<Calculator aria-hidden="true" />}
      loading={study.isPending}
      onClick={run}
    >
      {study.isPending ? 'Calcul d’une année, heure par heure…' : again ? 'Refaire l’étude' : 'Lancer l’étude'}
    </Button>
  )
})

/** What is still missing before there is anything to reckon. */
function NoStudy({ project }: Props) {
  const missingTab = project.roofs.length ? 'candidats' : 'toitures'
  const ready = project.roofs.length > 0 && project.candidates.length > 0
  const why = ready
    ? 'Le bilan d’une année type est calculé heure par heure, à partir du soleil du lieu et des profils des candidats.'
    : 'L’étude met en regard la production des toitures et la consommation des candidats. Il faut au moins une toiture et un candidat.'
  return (
    <EmptyState
      title="Pas encore d’étude"
      why={why}
      action={
        ready ? (
          <RunStudyButton project={project} again={false} />
        ) : (
          <Can call={projects.update}>
            <ButtonLink to={`?onglet=${missingTab}`}>
              {missingTab === 'toitures' ? 'Ajouter des toitures' : 'Ajouter des candidats'}
            </ButtonLink>
          </Can>
        )
      }
    />
  )
}

function StaleNotice() {
  const canRun = useCan()(projects.study)
  return (
    <p role="status" className="flex items-start gap-2 rounded-card bg-warning-soft p-4 text-body text-warning">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      Le projet a changé depuis cette étude
      {canRun ? '. Refaites-la pour mettre les chiffres à jour.' : '\u00a0: ses chiffres sont ceux d’avant.'}
    </p>
  )
}

export default function StudyTab({ project }: Props) {
  const { study, studiedAt } = project
  if (!study) return <NoStudy project={project} />
  return (
    <div className="grid gap-6 [&>*]:min-w-0">
      {project.studyStale && <StaleNotice />}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="prose-width text-body text-ink-soft">
          Année type calculée heure par heure, clé «&nbsp;{ALLOCATION_METHOD_LABELS[project.method].label}&nbsp;»
          {studiedAt && `, étude du ${formatDateTime(studiedAt)}`}. Ce sont des estimations, hors taxes.
        </p>
        <RunStudyButton project={project} again />
      </div>
      <StudyFigures study={study} candidates={study.participants.length} />
      <Card>
        <StudyMonths study={study} />
      </Card>
      <Card>
        <SeasonDays study={study} />
      </Card>
      <StudyParticipants study={study} />
    </div>
  )
}
