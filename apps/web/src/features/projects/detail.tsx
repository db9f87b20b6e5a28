import { documents } from '@voisol/contract/documents'
import { withDe } from '@voisol/contract/elision'
import type { Endpoint } from '@voisol/contract/endpoint'
import type { ProjectDetail } from '@voisol/contract/projects'
import { type ComponentType, Suspense } from 'react'
import { useCan } from '../../lib/can.tsx'
import { formatNumber, formatPercent } from '../../lib/format.ts'
import { useObjectName } from '../../lib/subject.ts'
import { DetailScreen, type Fact } from '../../ui/detail-screen.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusBadge } from './columns.tsx'
import { ProjectHeaderActions } from './header-actions.tsx'
import { formatKwc, formatProjectAddress, formatYears, PROJECT_KIND_LABELS } from './labels.ts'
import { ProjectLoader } from './load.tsx'

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
