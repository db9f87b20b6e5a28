import type { Project } from '@voisol/contract/projects'

export const PROJECT_STATUS_LABELS: Record<Project['status'], string> = {
  prospect: 'Prospect',
  study: 'Étude',
  agreement: 'Conventionnement',
  running: 'En service',
  abandoned: 'Abandonné',
}
export const PROJECT_KIND_LABELS: Record<Project['kind'], string> = {
  coownership: 'Copropriété',
  district: 'Quartier',
  industrial: 'Site d’activité',
  authority: 'Collectivité',
  other: 'Autre',
}
