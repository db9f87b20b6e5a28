import type { Project } from '@voisol/contract/projects'
import { AppError } from '../../../http/errors.ts'

type ProjectStatusValue = Project['status']
type ProjectState = Pick<Project, 'status' | 'operationId'>

const ALLOWED_TRANSITIONS: Record<ProjectStatusValue, ProjectStatusValue[]> = {
  prospect: ['study', 'abandoned'],
  study: ['agreement', 'prospect', 'abandoned'],
  agreement: ['study', 'abandoned'],
  running: [],
  abandoned: ['prospect'],
}

/** A project whose operation was removed can continue from its previous state. */
export const listTransitions = ({ status, operationId }: ProjectState): ProjectStatusValue[] =>
  status === 'running' && operationId === null ? ['agreement'] : ALLOWED_TRANSITIONS[status]

const formatStatus = (status: ProjectStatusValue) => `«\u00a0${PROJECT_STATUS_LABELS[status]}\u00a0»`

export function requireTransitionAllowed(project: ProjectState, target: ProjectStatusValue) {
  if (listTransitions(project).includes(target)) return
  if (target === 'running')
    throw new AppError('invalid-transition', {
      message: `Un projet passe à ${formatStatus('running')} quand son opération est créée, depuis ${formatStatus('agreement')}.`,
    })
  const possible = listTransitions(project).map(formatStatus).join(', ') || 'aucun autre'
  throw new AppError('invalid-transition', {
    message: `Un projet à l’état ${formatStatus(project.status)} ne peut pas passer à ${formatStatus(target)}\u00a0; états possibles\u00a0: ${possible}.`,
  })
}

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
