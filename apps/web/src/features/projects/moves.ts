import type { Project } from '@voisol/contract/projects'
import type { ProjectStatus } from './labels.ts'

type ProjectState = Pick<Project, 'status' | 'operationId'>

const ALLOWED_MOVES: Record<ProjectStatus, ProjectStatus[]> = {
  prospect: ['study', 'abandoned'],
  study: ['agreement', 'prospect', 'abandoned'],
  agreement: ['running', 'study', 'abandoned'],
  running: [],
  abandoned: ['prospect'],
}

/** Where a project may go from here; to « En service » it goes by creating its operation. */
export const getAllowedMoves = ({ status, operationId }: ProjectState): ProjectStatus[] =>
  status === 'running' && operationId === null ? ['agreement'] : ALLOWED_MOVES[status]

const MOVE_LABELS: Record<ProjectStatus, string> = {
  prospect: 'Remettre en prospect',
  study: 'Passer à l’étude',
  agreement: 'Passer au conventionnement',
  running: 'Créer l’opération…',
  abandoned: 'Abandonner…',
}

/** The move as a button says it; going back is said as such. */
export const formatMove = (from: ProjectStatus, to: ProjectStatus) => {
  if (from === 'agreement' && to === 'study') return 'Revenir à l’étude'
  if (from === 'abandoned') return 'Reprendre le projet'
  return MOVE_LABELS[to]
}

/** The one move that goes forward. */
export const getNextStatus = (standing: ProjectState): ProjectStatus | undefined =>
  getAllowedMoves(standing).find(
    (status) => status === { prospect: 'study', study: 'agreement', agreement: 'running' }[standing.status as string],
  )
