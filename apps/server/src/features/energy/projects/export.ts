import type { Project } from '@voisol/contract/projects'
import { PERIMETERS } from '@voisol/energy/perimeter'
import { tableFile } from '../../../files/table-file.ts'
import { frenchDay } from '../../../french.ts'
import { KIND_LABELS, STATUS_LABELS } from './labels.ts'

const dayCell = (day: string | null | undefined) => (day ? frenchDay(day) : '')

type Column = [header: string, cell: (project: Project) => string | number | null]
const COLUMNS: Column[] = [
  ['Nom', (p) => p.name],
  ['État', (p) => STATUS_LABELS[p.status]],
  ['Type', (p) => KIND_LABELS[p.kind]],
  ['Adresse', (p) => p.address],
  ['Code postal', (p) => p.postalCode],
  ['Ville', (p) => p.city],
  ['Périmètre', (p) => PERIMETERS[p.perimeter].label],
  ['Puissance (kWc)', (p) => p.peakWatts / 1000],
  ['Candidats', (p) => p.candidates],
  ['Consommation annuelle (kWh)', (p) => p.yearlyKwh],
  ['Autoconsommation (%)', (p) => (p.selfConsumption === null ? null : Math.round(p.selfConsumption * 1000) / 10)],
  ['Temps de retour (années)', (p) => p.payback],
  ['Prochaine étape', (p) => p.nextStep?.title ?? ''],
  ['Échéance', (p) => dayCell(p.nextStep?.dueOn)],
  ['Mise en service visée', (p) => dayCell(p.targetOn)],
  ['Créé le', (p) => dayCell(p.createdAt.slice(0, 10))],
]

export const projectsFile = (projects: Project[], format: 'csv' | 'xlsx') =>
  tableFile(
    'projets',
    format,
    COLUMNS.map(([header]) => header),
    projects.map((project) => COLUMNS.map(([, cell]) => cell(project))),
  )
