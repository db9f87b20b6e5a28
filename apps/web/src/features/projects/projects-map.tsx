import type { Project } from '@voisol/contract/projects'
import { formatCount } from '../../lib/format.ts'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { FranceMap, type ProjectPin } from '../../ui/map/france-map.tsx'
import { formatKwc, PROJECT_STATUS_LABELS, PROJECT_STATUS_ORDER } from './labels.ts'

const toPin = ({ id, name, status, city, peakWatts, candidates, latitude, longitude }: Project): ProjectPin => ({
  id,
  label: name,
  detail: [
    PROJECT_STATUS_LABELS[status].label,
    city,
    peakWatts ? formatKwc(peakWatts) : '',
    formatCount(candidates, 'candidat'),
  ]
    .filter(Boolean)
    .join(' · '),
  color: PROJECT_STATUS_LABELS[status].color,
  link: (
    <Link to={`/projects/${id}`} className="inline-flex min-h-6 items-center text-link">
      {name}
    </Link>
  ),
  ...(latitude !== null && longitude !== null && { lat: latitude, lon: longitude }),
})

export function ProjectsMap({ projects }: { projects: Project[] }) {
  const present = PROJECT_STATUS_ORDER.filter((status) => projects.some((project) => project.status === status))
  return (
    <Card>
      <ul className="mb-4 flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem] text-ink-soft">
        {present.map((status) => (
          <li key={status} className="inline-flex items-center gap-1.5">
            <span
              aria-hidden="true"
              className="size-2.5 rounded-full"
              style={{ background: PROJECT_STATUS_LABELS[status].color }}
            />
            {PROJECT_STATUS_LABELS[status].label}
          </li>
        ))}
      </ul>
      <FranceMap title="Carte des projets" pins={projects.map(toPin)} />
    </Card>
  )
}
