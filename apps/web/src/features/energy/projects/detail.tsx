import { documents } from '@voisol/contract/documents'
import { withDe } from '@voisol/contract/elision'
import type { Endpoint } from '@voisol/contract/endpoint'
import { type ProjectDetail, projects } from '@voisol/contract/projects'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Pencil from 'lucide-react/icons/pencil'
import { type ComponentType, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { Button, ButtonLink } from '../../../components/button.tsx'
import type { Fact } from '../../../components/card.tsx'
import { DetailScreen } from '../../../components/detail-screen.tsx'
import { Confirm } from '../../../components/dialog.tsx'
import { lazy } from '../../../components/lazy.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../../components/menu.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { useCan, withAccess } from '../../../lib/can.tsx'
import { formatNumber, formatPercent } from '../../../lib/format.ts'
import { useObjectName } from '../../../lib/object-names.ts'
import { toast } from '../../../lib/toast.ts'
import { formatKwc, formatYears, PROJECT_KIND_LABELS, PROJECT_STATUS_LABELS, type ProjectStatus } from './labels.ts'
import { StatusBadge } from './project-columns.tsx'
import { formatMove, getAllowedMoves, getNextStatus, ProjectMoveDialog } from './project-moves.tsx'
import { createFailureHandler, ProjectLoader, useMoveProjectAction, useRemoveProject } from './use-project.tsx'

type TabContent = ComponentType<{ project: ProjectDetail }>
const TABS: { value: string; label: string; Content: TabContent; needs?: Endpoint }[] = [
  { value: 'etude', label: 'Étude', Content: lazy(() => import('./study-tab.tsx')) },
  { value: 'toitures', label: 'Bâtiments et toitures', Content: lazy(() => import('./roofs-tab.tsx')) },
  { value: 'candidats', label: 'Candidats', Content: lazy(() => import('./candidates-tab.tsx')) },
  { value: 'perimetre', label: 'Périmètre', Content: lazy(() => import('./perimeter-tab.tsx')) },
  { value: 'etapes', label: 'Étapes', Content: lazy(() => import('./steps-tab.tsx')) },
  { value: 'documents', label: 'Documents', Content: lazy(() => import('./documents-tab.tsx')), needs: documents.list },
  { value: 'notes', label: 'Notes', Content: lazy(() => import('./notes-tab.tsx')) },
]

const NOT_STUDIED = <span className="text-ink-soft">À étudier</span>

const buildProjectFacts = ({ status, peakWatts, candidates, study, payback }: ProjectDetail): Fact[] => [
  { label: 'État', value: <StatusBadge status={status} /> },
  { label: 'Puissance', value: peakWatts ? formatKwc(peakWatts) : 'Aucune toiture' },
  { label: 'Candidats', value: formatNumber(candidates.length) },
  {
    label: 'Autoconsommation',
    value: study?.selfConsumption ? formatPercent(study.selfConsumption, 0) : NOT_STUDIED,
  },
  {
    label: 'Couverture',
    value: study?.selfProduction ? formatPercent(study.selfProduction, 0) : NOT_STUDIED,
  },
  {
    label: 'Temps de retour',
    value: payback !== null ? formatYears(payback) : study ? 'Jamais atteint' : NOT_STUDIED,
  },
]

const formatProjectAddress = ({ address, postalCode, city }: Pick<ProjectDetail, 'address' | 'postalCode' | 'city'>) =>
  [address, `${postalCode} ${city}`.trim()].filter(Boolean).join(', ')

const describeProject = (project: ProjectDetail) =>
  [PROJECT_KIND_LABELS[project.kind], formatProjectAddress(project)].filter(Boolean).join(' · ')

function ProjectView({ project }: { project: ProjectDetail }) {
  const can = useCan()
  useObjectName(project.name, 'Projet')
  return (
    <DetailScreen
      header={
        <PageHeader
          title={project.name}
          description={describeProject(project)}
          actions={<ProjectHeaderActions project={project} />}
        />
      }
      facts={buildProjectFacts(project)}
      label={`Rubriques ${withDe(project.name)}`}
      tabs={TABS.filter(({ needs }) => !needs || can(needs)).map(({ value, label, Content }) => ({
        value,
        label,
        content: (
          <Suspense fallback={<Skeleton className="h-72 w-full rounded-card" />}>
            <Content project={project} />
          </Suspense>
        ),
      }))}
    />
  )
}

export default function ProjectScreen() {
  return <ProjectLoader title="Projet">{(project) => <ProjectView project={project} />}</ProjectLoader>
}

function useMoveProject(project: ProjectDetail) {
  const [pendingStatus, setPendingStatus] = useState<ProjectStatus | null>(null)
  const move = useMoveProjectAction()
  const moveTo = (to: ProjectStatus) => {
    if (to === 'running' || to === 'abandoned') return setPendingStatus(to)
    void move
      .run({ params: { id: project.id }, body: { status: to, version: project.version } })
      .then(() =>
        toast({ title: `Projet à l’état «\u00a0${PROJECT_STATUS_LABELS[to].label}\u00a0»`, variant: 'success' }),
      )
      .catch(createFailureHandler('Changement d’état impossible'))
  }
  return { go: moveTo, asking: pendingStatus, close: () => setPendingStatus(null), moving: move.isPending }
}

function RemoveDialog({ project: { id, name }, onClose }: { project: ProjectDetail; onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useRemoveProject()
  return (
    <Confirm
      open
      onOpenChange={(open) => !open && onClose()}
      title="Supprimer ce projet&nbsp;?"
      description={`«\u00a0${name}\u00a0», ses toitures, ses candidats, son étude et ses notes seront effacés. Cette action est définitive.`}
      action="Supprimer le projet"
      onConfirm={async () => {
        await remove.run({ params: { id } })
        toast({ title: 'Projet supprimé', variant: 'success' })
        await navigate('/projects')
      }}
    />
  )
}

/** The next step as the one strong button; the rest in a menu. */
const ProjectActions = withAccess(projects.update, ({ project }: { project: ProjectDetail }) => {
  const { go: moveTo, asking: pendingStatus, close, moving } = useMoveProject(project)
  const [removing, setRemoving] = useState(false)
  const nextStatus = getNextStatus(project)
  const others = getAllowedMoves(project).filter((status) => status !== nextStatus)
  return (
    <>
      <Menu
        trigger={
          <Button variant="secondary" icon={<Ellipsis aria-hidden="true" />}>
            Actions
          </Button>
        }
      >
        {others.map((to) => (
          <MenuItem key={to} onSelect={() => moveTo(to)}>
            {formatMove(project.status, to)}
          </MenuItem>
        ))}
        {others.length > 0 && <MenuSeparator />}
        <MenuItem tone="danger" disabled={project.operationId !== null} onSelect={() => setRemoving(true)}>
          Supprimer…
        </MenuItem>
      </Menu>
      <ButtonLink variant="secondary" to={`/projects/${project.id}/edit`} icon={<Pencil aria-hidden="true" />}>
        Modifier
      </ButtonLink>
      {nextStatus && (
        <Button loading={moving} onClick={() => moveTo(nextStatus)}>
          {formatMove(project.status, nextStatus).replace('…', '')}
        </Button>
      )}
      {pendingStatus && <ProjectMoveDialog project={project} to={pendingStatus} onClose={close} />}
      {removing && <RemoveDialog project={project} onClose={() => setRemoving(false)} />}
    </>
  )
})

const ProjectHeaderActions = ({ project }: { project: ProjectDetail }) => (
  <>
    <ProjectActions project={project} />
    {project.operationId && <ButtonLink to={`/acc-operations/${project.operationId}`}>Ouvrir l’opération</ButtonLink>}
  </>
)
