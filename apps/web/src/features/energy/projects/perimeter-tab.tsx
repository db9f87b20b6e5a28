import type { ProjectDetail } from '@voisol/contract/projects'
import { PERIMETER_RULES as RULES } from '@voisol/energy/perimeter'
import { Card } from '../../../components/card.tsx'
import { CheckFindingList } from '../../../components/issue-list.tsx'
import { formatDistance } from '../../../components/map/geo.ts'
import { PerimeterMap, type PerimeterPoint } from '../../../components/map/perimeter-map.tsx'
import { PERIMETER_LABELS } from '../../../lib/energy-labels.ts'
import { formatCount } from '../../../lib/format.ts'

type MaybePlaced = { latitude: number | null; longitude: number | null }

const toPoint = (
  { latitude, longitude }: MaybePlaced,
  label: string,
  role: PerimeterPoint['role'],
  id: string,
): PerimeterPoint[] =>
  latitude === null || longitude === null ? [] : [{ id, label, role, lat: latitude, lon: longitude }]

/** The roofs and candidates whose place is known. */
export const buildPerimeterPoints = ({ roofs, candidates }: Pick<ProjectDetail, 'roofs' | 'candidates'>) => [
  ...roofs.flatMap((roof, at) => toPoint(roof, roof.building, 'producer', `roof-${at}`)),
  ...candidates.flatMap((one, at) => toPoint(one, one.name, 'consumer', `candidate-${at}`)),
]

const LIMIT_KM = { building: 2, extended: 2, periurban: 10, rural: 20, epci: 20 } as const

function DistanceSentence({ project: { spread, perimeter } }: { project: ProjectDetail }) {
  const { km } = RULES[perimeter]
  if (!spread)
    return <p className="text-body text-ink-soft">Il faut au moins deux points situés pour mesurer une distance.</p>
  return (
    <p className="prose-width text-body">
      De {spread.from} à {spread.to}, il y a <strong className="tabular">{formatDistance(spread.metres)}</strong>
      {km === null ? '.' : `, pour ${km}\u00a0km permis.`}
    </p>
  )
}

export default function PerimeterTab({ project }: { project: ProjectDetail }) {
  const points = buildPerimeterPoints(project)
  const all = project.roofs.length + project.candidates.length
  const hasDistanceRule = RULES[project.perimeter].km !== null
  return (
    <div className="grid gap-6 [&>*]:min-w-0 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <Card>
        {points.length > 1 && hasDistanceRule ? (
          <PerimeterMap title="Toitures et candidats" points={points} limitKm={LIMIT_KM[project.perimeter]} />
        ) : (
          <DistanceSentence project={project} />
        )}
      </Card>
      <div className="grid content-start gap-6">
        <Card title="Ce que disent les règles" description={PERIMETER_LABELS[project.perimeter]}>
          <CheckFindingList findings={project.findings} fine="La distance et la puissance respectent les règles." />
        </Card>
        {points.length < all && (
          <p className="text-body text-ink-soft">
            {formatCount(all - points.length, 'point sans position', 'points sans position')} sur {all}&nbsp;: complétez
            les toitures et les candidats pour les voir ici.
          </p>
        )}
      </div>
    </div>
  )
}
