import type { ProjectDetail } from '@voisol/contract/projects'
import { PERIMETERS as RULES } from '@voisol/energy/perimeter'
import { PERIMETERS } from '../../lib/energy-labels.ts'
import { plural } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { Findings } from '../../ui/findings.tsx'
import { distanceText } from '../../ui/map/geo.ts'
import { PerimeterMap, type PerimeterPoint } from '../../ui/map/perimeter-map.tsx'

type Placed = { latitude: number | null; longitude: number | null }

const pointOf = (
  { latitude, longitude }: Placed,
  label: string,
  role: PerimeterPoint['role'],
  id: string,
): PerimeterPoint[] =>
  latitude === null || longitude === null ? [] : [{ id, label, role, lat: latitude, lon: longitude }]

/** The roofs and candidates whose place is known. */
export const pointsOf = ({ roofs, candidates }: Pick<ProjectDetail, 'roofs' | 'candidates'>) => [
  ...roofs.flatMap((roof, at) => pointOf(roof, roof.building, 'producer', `roof-${at}`)),
  ...candidates.flatMap((one, at) => pointOf(one, one.name, 'consumer', `candidate-${at}`)),
]

const LIMITS = { building: 2, extended: 2, periurban: 10, rural: 20, epci: 20 } as const

function Sentence({ project: { spread, perimeter } }: { project: ProjectDetail }) {
  const { km } = RULES[perimeter]
  if (!spread)
    return <p className="text-body text-ink-soft">Il faut au moins deux points situés pour mesurer une distance.</p>
  return (
    <p className="prose-width text-body">
      De {spread.from} à {spread.to}, il y a <strong className="tabular">{distanceText(spread.metres)}</strong>
      {km === null ? '.' : `, pour ${km}\u00a0km permis.`}
    </p>
  )
}

export default function PerimeterTab({ project }: { project: ProjectDetail }) {
  const points = pointsOf(project)
  const all = project.roofs.length + project.candidates.length
  const measured = RULES[project.perimeter].km !== null
  return (
    <div className="grid gap-6 [&>*]:min-w-0 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <Card>
        {points.length > 1 && measured ? (
          <PerimeterMap title="Toitures et candidats" points={points} limitKm={LIMITS[project.perimeter]} />
        ) : (
          <Sentence project={project} />
        )}
      </Card>
      <div className="grid content-start gap-6">
        <Card title="Ce que disent les règles" description={PERIMETERS[project.perimeter]}>
          <Findings findings={project.findings} fine="La distance et la puissance respectent les règles." />
        </Card>
        {points.length < all && (
          <p className="text-body text-ink-soft">
            {plural(all - points.length, 'point sans position', 'points sans position')} sur {all}&nbsp;: complétez les
            toitures et les candidats pour les voir ici.
          </p>
        )}
      </div>
    </div>
  )
}
