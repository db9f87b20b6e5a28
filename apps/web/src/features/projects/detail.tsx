import { documents } from '@voisol/contract/documents'
import { of } from '@voisol/contract/elision'
import type { Endpoint } from '@voisol/contract/endpoint'
import type { ProjectDetail } from '@voisol/contract/projects'
import { type ComponentType, Suspense } from 'react'
import { useCan } from '../../lib/can.tsx'
import { number, percent } from '../../lib/format.ts'
import { useObjectName } from '../../lib/subject.ts'
import { DetailScreen, type Fact } from '../../ui/detail-screen.tsx'
import { lazy } from '../../ui/lazy.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusBadge } from './columns.tsx'
import { HeaderActions } from './header-actions.tsx'
import { KINDS, kwc, placeText, years } from './labels.ts'
import { WithProject } from './load.tsx'

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

const notStudied = <span className="text-ink-soft">À étudier</span>

const factsOf = ({ status, peakWatts, candidates, study, payback }: ProjectDetail): Fact[] => [
  { label: 'État', value: <StatusBadge status={status} /> },
  { label: 'Puissance', value: peakWatts ? kwc(peakWatts) : 'Aucune toiture' },
  { label: 'Candidats', value: number(candidates.length) },
  {
    label: 'Autoconsommation',
    value: study?.selfConsumption ? percent(study.selfConsumption, 0) : notStudied,
  },
  {
    label: 'Couverture',
    value: study?.selfProduction ? percent(study.selfProduction, 0) : notStudied,
  },
  {
    label: 'Temps de retour',
    value: payback !== null ? years(payback) : study ? 'Jamais atteint' : notStudied,
  },
]

const describe = (project: ProjectDetail) => [KINDS[project.kind], placeText(project)].filter(Boolean).join(' · ')

function Detail({ project }: { project: ProjectDetail }) {
  const can = useCan()
  useObjectName(project.name, 'Projet')
  return (
    <DetailScreen
      header={
        <PageHeader
          title={project.name}
          description={describe(project)}
          actions={<HeaderActions project={project} />}
        />
      }
      facts={factsOf(project)}
      label={`Rubriques ${of(project.name)}`}
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
  return <WithProject title="Projet">{(project) => <Detail project={project} />}</WithProject>
}
