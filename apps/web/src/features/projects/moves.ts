import type { Project } from '@voisol/contract/projects'
import type { Status } from './labels.ts'

type Standing = Pick<Project, 'status' | 'operationId'>

const NEXT: Record<Status, Status[]> = {
  prospect: ['study', 'abandoned'],
  study: ['agreement', 'prospect', 'abandoned'],
  agreement: ['running', 'study', 'abandoned'],
  running: [],
  abandoned: ['prospect'],
}

/** Where a project may go from here; to « En service » it goes by creating its operation. */
export const movesOf = ({ status, operationId }: Standing): Status[] =>
  status === 'running' && operationId === null ? ['agreement'] : NEXT[status]

const WORDS: Record<Status, string> = {
  prospect: 'Remettre en prospect',
  study: 'Passer à l’étude',
  agreement: 'Passer au conventionnement',
  running: 'Créer l’opération…',
  abandoned: 'Abandonner…',
}

/** The move as a button says it; going back is said as such. */
export const moveWords = (from: Status, to: Status) => {
  if (from === 'agreement' && to === 'study') return 'Revenir à l’étude'
  if (from === 'abandoned') return 'Reprendre le projet'
  return WORDS[to]
}

/** The one move that goes forward. */
export const forwardOf = (standing: Standing): Status | undefined =>
  movesOf(standing).find(
    (status) => status === { prospect: 'study', study: 'agreement', agreement: 'running' }[standing.status as string],
  )
