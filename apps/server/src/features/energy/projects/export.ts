import type { Project } from '@voisol/contract/projects'
import { PERIMETER_RULES } from '@voisol/energy/perimeter'
import { buildTableFile } from '../../../files/table-file.ts'
import { formatFrenchDay } from '../../../french.ts'
import { PROJECT_KIND_LABELS, PROJECT_STATUS_LABELS } from './labels.ts'

const formatDayCell = (day: string | null | undefined) => (day ? formatFrenchDay(day) : '')

type ProjectColumn = [header: string, cell: (project: Project) => string | number | null]
const PROJECT_COLUMNS: ProjectColumn[] = [
  ['Nom', (p) => p.name],
  ['État', (p) => PROJECT_STATUS_LABELS[p.status]],
  ['Type', (p) => PROJECT_KIND_LABELS[p.kind]],
  ['Adresse', (p) => p.address],
  ['Code postal', (p) => p.postalCode],
  ['Ville', (p) => p.city],
  ['Périmètre', (p) => PERIMETER_RULES[p.perimeter].label],
  ['Puissance (kWc)', (p) => p.peakWatts / 1000],
  ['Candidats', (p) => p.candidates],
  ['Consommation annuelle (kWh)', (p) => p.yearlyKwh],
  ['Autoconsommation (%)', (p) => (p.selfConsumption === null ? null : Math.round(p.selfConsumption * 1000) / 10)],
  ['Temps de retour (années)', (p) => p.payback],
  ['Prochaine étape', (p) => p.nextStep?.title ?? ''],
  ['Échéance', (p) => formatDayCell(p.nextStep?.dueOn)],
  ['Mise en service visée', (p) => formatDayCell(p.targetOn)],
  ['Créé le', (p) => formatDayCell(p.createdAt.slice(0, 10))],
]

export const exportProjects = (projects: Project[], format: 'csv' | 'xlsx') =>
  buildTableFile(
    'projets',
    format,
    PROJECT_COLUMNS.map(([header]) => header),
    projects.map((project) => PROJECT_COLUMNS.map(([, cell]) => cell(project))),
  )
